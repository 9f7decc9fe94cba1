//! Payments as the official clients make them: key 1 of the well-known development mnemonic, at 1,764,000,000 seconds.

use kernel::money::MicroUsd;

use crate::{Network, Offer, Version};

pub(crate) const V1: &str = "eyJ4NDAyVmVyc2lvbiI6MSwic2NoZW1lIjoiZXhhY3QiLCJuZXR3b3JrIjoiYmFzZS1zZXBvbGlhIiwicGF5bG9hZCI6eyJzaWduYXR1cmUiOiIweDM2NTFlZDhlYzBhZThiOWNjNzRiZTc5YWUwZDg4ZTU4YjQzNzlkM2YzMmViMzU5MmJhZWEyZTBjMzVlNGJiNjU3MTIwOWQ1YWNmZDJiMGRlMDA5ZjA4YmNkOWRmY2M2NzBmZGZhYmIwZDUwNjNkZjQ3NTM5MDE5OGM2ODJhZGExMWIiLCJhdXRob3JpemF0aW9uIjp7ImZyb20iOiIweGYzOUZkNmU1MWFhZDg4RjZGNGNlNmFCODgyNzI3OWNmZkZiOTIyNjYiLCJ0byI6IjB4MjA5NjkzQmM2YWZjMEM1MzI4YkEzNkZhRjAzQzUxNEVGMzEyMjg3QyIsInZhbHVlIjoiMzAwMDAiLCJ2YWxpZEFmdGVyIjoiMTc2Mzk5OTQwMCIsInZhbGlkQmVmb3JlIjoiMTc2NDAwMDMwMCIsIm5vbmNlIjoiMHgwMTAyMDMwNDA1MDYwNzA4MDkwYTBiMGMwZDBlMGYxMDExMTIxMzE0MTUxNjE3MTgxOTFhMWIxYzFkMWUxZjIwIn19fQ==";
pub(crate) const V2: &str = "eyJ4NDAyVmVyc2lvbiI6MiwicGF5bG9hZCI6eyJhdXRob3JpemF0aW9uIjp7ImZyb20iOiIweGYzOUZkNmU1MWFhZDg4RjZGNGNlNmFCODgyNzI3OWNmZkZiOTIyNjYiLCJ0byI6IjB4MjA5NjkzQmM2YWZjMEM1MzI4YkEzNkZhRjAzQzUxNEVGMzEyMjg3QyIsInZhbHVlIjoiMzAwMDAiLCJ2YWxpZEFmdGVyIjoiMCIsInZhbGlkQmVmb3JlIjoiMTc2NDAwMDMwMCIsIm5vbmNlIjoiMHgwMTAyMDMwNDA1MDYwNzA4MDkwYTBiMGMwZDBlMGYxMDExMTIxMzE0MTUxNjE3MTgxOTFhMWIxYzFkMWUxZjIwIn0sInNpZ25hdHVyZSI6IjB4MWI3MzA0Y2QwNTM5NDJlMmEwMjdmNDI2NjU3Zjg5YmZiMmNkYjg0YmZmOTNlODE5NWY5YmMxMGMyOWJiMmI1MzVjOTQ2MTA5YWY5MGQyOWEwZjVhNzE3ZDMwZGY4OWUwNmYwN2UwZWZhYWNkOWU4YzI3M2RhZTNkOWI1YmJiODUxYiJ9LCJyZXNvdXJjZSI6eyJ1cmwiOiJodHRwczovL2xlY3Rlcm4uZXhhbXBsZS9hcGkvdjEvZXZhbHVhdGlvbnMiLCJkZXNjcmlwdGlvbiI6Ik9uZSBldmFsdWF0aW9uIiwibWltZVR5cGUiOiJhcHBsaWNhdGlvbi9qc29uIn0sImFjY2VwdGVkIjp7InNjaGVtZSI6ImV4YWN0IiwibmV0d29yayI6ImVpcDE1NTo4NDUzMiIsImFtb3VudCI6IjMwMDAwIiwiYXNzZXQiOiIweDAzNkNiRDUzODQyYzU0MjY2MzRlNzkyOTU0MWVDMjMxOGYzZENGN2UiLCJwYXlUbyI6IjB4MjA5NjkzQmM2YWZjMEM1MzI4YkEzNkZhRjAzQzUxNEVGMzEyMjg3QyIsIm1heFRpbWVvdXRTZWNvbmRzIjozMDAsImV4dHJhIjp7Im5hbWUiOiJVU0RDIiwidmVyc2lvbiI6IjIifX19";
pub(crate) const DIGEST_V1: &str = "68491f23b086c21fb68fc8075691669eae171caaa27656aa0ba008572e09fa02";
pub(crate) const DIGEST_V2: &str = "88bc46e8d35c0f067f83de9774bedbd3ca108d962d1424d1c4dae7b49d8b4e80";

pub(crate) fn offer() -> Offer {
    Offer {
        network: Network::BASE_SEPOLIA,
        token: Network::BASE_SEPOLIA.usdc(),
        pay_to: "0x209693Bc6afc0C5328bA36FaF03C514EF312287C".parse().expect("an address"),
        amount: MicroUsd::from_cents(3),
        resource: "https://lectern.example/v1/platform/evaluations".to_owned(),
        description: "One evaluation".to_owned(),
        mime_type: "application/json".to_owned(),
        max_timeout_seconds: 300,
    }
}

/// The offer that the payment of a version was made for.
pub(crate) fn offer_of(version: Version) -> Offer {
    match version {
        Version::V1 => offer(),
        Version::V2 => Offer { resource: "https://lectern.example/api/v1/evaluations".to_owned(), ..offer() },
    }
}
