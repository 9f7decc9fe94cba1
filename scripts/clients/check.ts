// Calls a running service with the client that openapi-typescript makes. That it compiles is half of the check.
import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { components as ContentComponents, paths as ContentPaths } from "./content.js";
import type { components as PlatformComponents, paths as PlatformPaths } from "./platform.js";

function setting(name: string): string {
  const value = process.env[name];
  assert.ok(value, `${name} is not set`);
  return value;
}

function bearer(name: string): { Authorization: string } {
  return { Authorization: `Bearer ${setting(name)}` };
}

const baseUrl = setting("BASE_URL");
const classroomId = setting("CLASSROOM_ID");
const content = createClient<ContentPaths>({ baseUrl, headers: bearer("CONTENT_KEY") });
const platform = createClient<PlatformPaths>({ baseUrl, headers: bearer("PLATFORM_KEY") });

type Job = ContentComponents["schemas"]["ExpansionJob"];

async function expand(): Promise<Job> {
  const payload = { category: "Biology", level: { title: "Cells", lessons: [{ title: "The cell", text: "A cell is alive." }] } };
  const { data, error, response } = await content.POST("/v1/content/integrations/expansions", {
    params: { header: { "Idempotency-Key": "typescript-1" } },
    body: { classroomId, requestedOutputs: ["interactive_module", "expanded_quiz"], payload },
  });
  assert.ok(data, JSON.stringify(error));
  assert.equal(response.status, 202);
  return data;
}

async function ended(jobId: string): Promise<Job> {
  for (let tries = 0; tries < 600; tries++) {
    const { data, error } = await content.GET("/v1/content/integrations/expansions/{jobId}", { params: { path: { jobId } } });
    assert.ok(data, JSON.stringify(error));
    if (data.status === "completed" || data.status === "failed") return data;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`the job ${jobId} does not end`);
}

async function checkContent(): Promise<void> {
  const job = await ended((await expand()).id);
  assert.equal(job.status, "completed");
  const path = { jobId: job.id };
  const result = await content.GET("/v1/content/integrations/expansions/{jobId}/result", { params: { path } });
  assert.ok(result.data);
  const raw: unknown = result.data.outputs[0]?.manifest?.raw["language"];
  assert.equal(typeof raw, "string");

  const modules = await content.GET("/v1/content/classrooms/{classroomId}/modules", {
    params: { path: { classroomId }, query: { limit: 100, page: 1 } },
  });
  assert.ok(modules.data?.some((module) => module.id === result.data.outputs[0]?.resourceId));

  const jobs = await content.GET("/v1/content/integrations/expansions", {
    params: { query: { status: "completed", classroomId, limit: 1 } },
  });
  assert.equal(jobs.data?.[0]?.id, job.id, JSON.stringify(jobs.error));

  const created = await content.POST("/v1/content/classrooms/{classroomId}/modules", {
    params: { path: { classroomId } },
    body: { title: "By hand", metadata: { externalId: "a-1", nested: { kept: [1, 2] } } },
  });
  assert.deepEqual(created.data?.metadata, { externalId: "a-1", nested: { kept: [1, 2] } });

  const invalid = await content.POST("/v1/content/classrooms/{classroomId}/modules", {
    params: { path: { classroomId } },
    body: { title: "" },
  });
  assert.equal(invalid.response.status, 400);
  assert.equal(invalid.error?.details?.[0]?.path, "title");
}

async function checkPlatform(): Promise<void> {
  const body: PlatformComponents["schemas"]["CreateEvaluationRequest"] = {
    evaluationType: "exact",
    questionText: "What is 6 times 7?",
    learnerAnswer: "42",
    referenceAnswer: "42",
    clientMetadata: { course: { id: 7 } },
  };
  const created = await platform.POST("/v1/platform/evaluations", { body });
  assert.ok(created.data, JSON.stringify(created.error));
  const score: number | null = created.data.score;
  assert.equal(score, 10);

  const path = { id: created.data.id };
  const found = await platform.GET("/v1/platform/evaluations/{id}", { params: { path } });
  assert.deepEqual(found.data?.clientMetadata, { course: { id: 7 } });

  const list = await platform.GET("/v1/platform/evaluations", {
    params: { query: { status: "COMPLETED", evaluationType: "exact", needsReview: false, minConfidence: 0.5 } },
  });
  assert.equal(list.data?.items[0]?.id, created.data.id, JSON.stringify(list.error));
  const cursor: string | null = list.data.nextCursor;
  assert.equal(cursor, null);

  const keys = await platform.GET("/v1/platform/api-keys", { params: { query: { organizationId: setting("WORKSPACE_ID") } } });
  assert.equal(keys.data?.[0]?.status, "ACTIVE");

  const unknown = await platform.GET("/v1/platform/evaluations/{id}", { params: { path: { id: classroomId } } });
  assert.equal(unknown.response.status, 404);
  assert.equal(unknown.error?.error.code, "platform_not_found");
}

await checkContent();
await checkPlatform();
console.log("the TypeScript client works");
