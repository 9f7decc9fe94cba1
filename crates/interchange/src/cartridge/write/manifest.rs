//! The cartridge's manifest: metadata, the entries in order, and the files of each.

use super::{Resource, ResourceKind};
use crate::lom::{self, Description};
use crate::model::CourseContent;
use crate::xml::names::digest;
use crate::xml::write::Writer;

const NAMESPACE: &str = "http://www.imsglobal.org/xsd/imsccv1p3/imscp_v1p1";
const LOM_NAMESPACE: &str = "http://ltsc.ieee.org/xsd/imsccv1p3/LOM/manifest";
const LOCATION: &str = "http://www.imsglobal.org/xsd/imsccv1p3/imscp_v1p1 \
    http://www.imsglobal.org/profile/cc/ccv1p3/ccv1p3_imscp_v1p2_v1p0.xsd \
    http://ltsc.ieee.org/xsd/imsccv1p3/LOM/manifest \
    http://www.imsglobal.org/profile/cc/ccv1p3/LOM/ccv1p3_lommanifest_v1p0.xsd";

/// The manifest's content.
pub(super) fn write(course: &CourseContent, resources: &[Resource<'_>]) -> String {
    let mut writer = Writer::new();
    let identifier = digest("course", &[&course.title, &course.description]);
    writer.open(
        "manifest",
        &[
            ("xmlns", &NAMESPACE),
            ("xmlns:lomimscc", &LOM_NAMESPACE),
            ("xmlns:xsi", &"http://www.w3.org/2001/XMLSchema-instance"),
            ("xsi:schemaLocation", &LOCATION),
            ("identifier", &identifier),
        ],
    );
    metadata(&mut writer, course, &identifier);
    organization(&mut writer, resources);
    writer.open("resources", &[]);
    for resource in resources {
        write_resource(&mut writer, resource);
    }
    writer.close();
    writer.close();
    writer.finish()
}

fn metadata(writer: &mut Writer, course: &CourseContent, identifier: &str) {
    writer.open("metadata", &[]);
    writer.leaf("schema", &[], "IMS Common Cartridge");
    writer.leaf("schemaversion", &[], "1.3.0");
    let description = Description {
        // Tells the reader that the cartridge is our own.
        id: identifier.to_owned(),
        title: course.title.clone(),
        language: course.language.clone(),
        description: course.description.clone(),
        subject: String::new(),
        level: course.level.clone(),
    };
    lom::write(writer, "lomimscc", &description);
    writer.close();
}

fn organization(writer: &mut Writer, resources: &[Resource<'_>]) {
    writer.open("organizations", &[]);
    writer.open("organization", &[("identifier", &"organization"), ("structure", &"rooted-hierarchy")]);
    writer.open("item", &[("identifier", &"root")]);
    for resource in resources {
        let identifier = format!("entry-{}", resource.id);
        writer.open("item", &[("identifier", &identifier), ("identifierref", &resource.id)]);
        writer.leaf("title", &[], resource.title);
        writer.close();
    }
    writer.close();
    writer.close();
    writer.close();
}

fn write_resource(writer: &mut Writer, resource: &Resource<'_>) {
    let kind = match resource.kind {
        ResourceKind::Page => "webcontent",
        ResourceKind::Assessment => "imsqti_xmlv1p2/imscc_xmlv1p3/assessment",
        ResourceKind::Link => "imswl_xmlv1p3",
    };
    // Only a page may say which of its files it begins with.
    if resource.kind == ResourceKind::Page {
        writer.open("resource", &[("identifier", &resource.id), ("type", &kind), ("href", &resource.file)]);
    } else {
        writer.open("resource", &[("identifier", &resource.id), ("type", &kind)]);
    }
    writer.empty("file", &[("href", &resource.file)]);
    let Some(extension) = &resource.extension else { return writer.close() };
    let id = format!("extension-{}", resource.id);
    writer.empty("dependency", &[("identifierref", &id)]);
    writer.close();
    writer.open(
        "resource",
        &[
            ("identifier", &id),
            ("type", &"associatedcontent/imscc_xmlv1p3/learning-application-resource"),
            ("href", extension),
        ],
    );
    writer.empty("file", &[("href", extension)]);
    writer.close();
}
