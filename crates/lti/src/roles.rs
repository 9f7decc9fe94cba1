//! What a user is in a course (LTI Core, appendix A.2).
//!
//! Platforms name roles of the course, of the institution and of their own system side by side. Only those of the course say
//! who teaches and who learns there: a professor may take a colleague's course.

/// The course's roles, by their vocabulary. Older platforms leave it out.
const CONTEXT_VOCABULARY: &str = "/membership";
/// Names of course roles whose users prepare or look after a course.
const TEACHING: [&str; 6] =
    ["Instructor", "ContentDeveloper", "Administrator", "Manager", "Officer", "TeachingAssistant"];
/// The role of who takes a course.
const LEARNER: &str = "Learner";
/// Administrators of the institution or of the platform look after every course.
const ADMINISTRATORS: [&str; 2] = ["institution/person#Administrator", "system/person#Administrator"];

/// Whether the user takes the course: a learner there, or somebody of whom the platform names no role in the course. Parents who
/// observe (mentors) do not.
pub fn is_learner(roles: &[String]) -> bool {
    let mut in_course = roles.iter().filter_map(|role| name_in_course(role)).peekable();
    let has_none = in_course.peek().is_none();
    in_course.any(|name| name == LEARNER) || (has_none && !teaches(roles))
}

/// Whether the user may pick what a course links to. A platform that names no roles has decided that itself.
pub fn may_pick(roles: &[String]) -> bool {
    roles.is_empty() || teaches(roles)
}

fn teaches(roles: &[String]) -> bool {
    roles.iter().any(|role| {
        let in_course = name_in_course(role).is_some_and(|name| TEACHING.contains(&name));
        in_course || ADMINISTRATORS.iter().any(|administrator| role.ends_with(administrator))
    })
}

/// The name of a role of the course: `Learner` of `…/membership#Learner`, of `…/membership/Learner#GuestLearner`, and of a
/// bare `Learner`.
fn name_in_course(role: &str) -> Option<&str> {
    let Some((_, after)) = role.split_once(CONTEXT_VOCABULARY) else {
        return (!role.contains(['/', ':'])).then_some(role);
    };
    match after.strip_prefix('/') {
        Some(sub_role) => sub_role.split('#').next(),
        None => after.strip_prefix('#'),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEMBERSHIP: &str = "http://purl.imsglobal.org/vocab/lis/v2/membership";
    const INSTITUTION: &str = "http://purl.imsglobal.org/vocab/lis/v2/institution/person";

    fn roles(roles: &[&str]) -> Vec<String> {
        roles.iter().map(|role| (*role).to_owned()).collect()
    }

    #[test]
    fn a_course_is_taken_by_its_learners_and_by_those_of_whom_nothing_is_known() {
        for learner in [
            &[][..],
            &[&*format!("{MEMBERSHIP}#Learner")],
            &[&*format!("{MEMBERSHIP}/Learner#GuestLearner")],
            &["Learner"],
            &[&*format!("{INSTITUTION}#Instructor"), &*format!("{MEMBERSHIP}#Learner")],
            &[&*format!("{INSTITUTION}#Faculty")],
        ] {
            assert!(is_learner(&roles(learner)), "{learner:?}");
        }
        for other in [
            &[&*format!("{MEMBERSHIP}#Instructor")][..],
            &[&*format!("{MEMBERSHIP}/Instructor#TeachingAssistant")],
            &["Instructor"],
            &[&*format!("{MEMBERSHIP}#Mentor")],
            &[&*format!("{MEMBERSHIP}#Member")],
            &[&*format!("{INSTITUTION}#Administrator")],
        ] {
            assert!(!is_learner(&roles(other)), "{other:?}");
        }
    }

    #[test]
    fn who_only_learns_in_a_course_picks_nothing_for_it() {
        for teacher in [
            &[][..],
            &[&*format!("{MEMBERSHIP}#ContentDeveloper")],
            &[&*format!("{MEMBERSHIP}/Instructor#GuestInstructor")],
            &["Instructor", "Learner"],
            &["http://purl.imsglobal.org/vocab/lis/v2/system/person#Administrator"],
        ] {
            assert!(may_pick(&roles(teacher)), "{teacher:?}");
        }
        for other in
            [&[&*format!("{MEMBERSHIP}#Learner")][..], &[&*format!("{INSTITUTION}#Instructor")], &["urn:x:Instructor"]]
        {
            assert!(!may_pick(&roles(other)), "{other:?}");
        }
    }
}
