//! Which IP addresses are public. Everything else is somebody's inside.
//!
//! Sources: the IANA special-purpose address registries, and the metadata addresses of the clouds. For
//! IPv6 the rule is turned around: only the global unicast block counts as public, without its special
//! parts. Where to read next: [`crate::OutboundPolicy`] adds what the operator allows.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{Ipv4Net, Ipv6Net};

const fn v4(a: u8, b: u8, c: u8, d: u8, prefix: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), prefix)
}

const fn v6(a: u16, b: u16, prefix: u8) -> Ipv6Net {
    Ipv6Net::new_assert(Ipv6Addr::new(a, b, 0, 0, 0, 0, 0, 0), prefix)
}

const NOT_PUBLIC_V4: [Ipv4Net; 17] = [
    v4(0, 0, 0, 0, 8),          // this network, unspecified
    v4(10, 0, 0, 0, 8),         // private
    v4(100, 64, 0, 0, 10),      // shared by carriers (CGNAT)
    v4(127, 0, 0, 0, 8),        // loopback
    v4(168, 63, 129, 16, 32),   // a cloud's metadata service at a public-looking address
    v4(169, 254, 0, 0, 16),     // link-local, metadata services
    v4(172, 16, 0, 0, 12),      // private
    v4(192, 0, 0, 0, 24),       // protocol assignments
    v4(192, 0, 2, 0, 24),       // documentation
    v4(192, 88, 99, 0, 24),     // 6to4 relays
    v4(192, 168, 0, 0, 16),     // private
    v4(198, 18, 0, 0, 15),      // benchmarking
    v4(198, 51, 100, 0, 24),    // documentation
    v4(203, 0, 113, 0, 24),     // documentation
    v4(224, 0, 0, 0, 4),        // multicast
    v4(240, 0, 0, 0, 4),        // reserved
    v4(255, 255, 255, 255, 32), // broadcast
];

const GLOBAL_UNICAST: Ipv6Net = v6(0x2000, 0, 3);

const NOT_PUBLIC_V6: [Ipv6Net; 4] = [
    v6(0x2001, 0, 23),     // protocol assignments: Teredo, benchmarking, ORCHID
    v6(0x2001, 0xdb8, 32), // documentation
    v6(0x2002, 0, 16),     // 6to4: an IPv4 address in disguise
    v6(0x3fff, 0, 20),     // documentation
];

/// NAT64's well-known prefix: what a network without IPv4 makes of a public IPv4 address.
const NAT64: Ipv6Net = v6(0x64, 0xff9b, 96);

/// Whether anybody on the Internet may be reached at `ip`.
pub(crate) fn is_public(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => !NOT_PUBLIC_V4.iter().any(|net| net.contains(&ip)),
        IpAddr::V6(ip) if NAT64.contains(&ip) => is_public(IpAddr::V4(last_32_bits(ip))),
        IpAddr::V6(ip) => GLOBAL_UNICAST.contains(&ip) && !NOT_PUBLIC_V6.iter().any(|net| net.contains(&ip)),
    }
}

/// The IPv4 address that an IPv6 address stands for (mapped, compatible, NAT64, 6to4), when it does.
pub(crate) fn embedded_v4(ip: Ipv6Addr) -> Option<Ipv4Addr> {
    let segments = ip.segments();
    match segments {
        [0, 0, 0, 0, 0, 0xffff, _, _] => Some(last_32_bits(ip)),
        [0, 0, 0, 0, 0, 0, 0, 0 | 1] => None,
        [0, 0, 0, 0, 0, 0, _, _] => Some(last_32_bits(ip)),
        [0x64, 0xff9b, 0, 0, 0, 0, _, _] => Some(last_32_bits(ip)),
        [0x2002, high, low, ..] => Some(from_segments(high, low)),
        _ => None,
    }
}

fn last_32_bits(ip: Ipv6Addr) -> Ipv4Addr {
    let [.., high, low] = ip.segments();
    from_segments(high, low)
}

fn from_segments(high: u16, low: u16) -> Ipv4Addr {
    Ipv4Addr::from(u32::from(high) << 16 | u32::from(low))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().expect("a test names valid addresses")
    }

    #[test]
    fn addresses_of_the_internet_are_public() {
        for text in [
            "1.1.1.1",
            "8.8.8.8",
            "100.63.255.255",
            "100.128.0.1",
            "172.32.0.1",
            "2606:4700::1111",
            "2a00:1450::1",
            "64:ff9b::808:808",
        ] {
            assert!(is_public(ip(text)), "{text}");
        }
    }

    #[test]
    fn every_special_range_is_refused() {
        for text in [
            "0.0.0.0",
            "0.1.2.3",
            "10.0.0.1",
            "100.64.0.1",
            "100.100.100.200",
            "100.127.255.255",
            "127.0.0.1",
            "127.255.255.254",
            "168.63.129.16",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.192",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.1",
            "203.0.113.1",
            "224.0.0.1",
            "239.255.255.255",
            "240.0.0.1",
            "255.255.255.255",
        ] {
            assert!(!is_public(ip(text)), "{text}");
        }
        for text in [
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::ffff:8.8.8.8",
            "::127.0.0.1",
            "::ffff:0:127.0.0.1",
            "64:ff9b::7f00:1",
            "64:ff9b::a9fe:a9fe",
            "64:ff9b:1::1",
            "100::1",
            "2001::1",
            "2001:2::1",
            "2001:10::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "2002:808:808::1",
            "3fff::1",
            "5f00::1",
            "fc00::1",
            "fd00:ec2::254",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(!is_public(ip(text)), "{text}");
        }
    }

    #[test]
    fn disguised_ipv4_addresses_are_recognized() {
        let v6 = |text: &str| text.parse::<Ipv6Addr>().expect("valid");
        let loopback = Some(Ipv4Addr::LOCALHOST);
        for text in ["::ffff:127.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::"] {
            assert_eq!(embedded_v4(v6(text)), loopback, "{text}");
        }
        for text in ["::", "::1", "2606:4700::1111", "fe80::1"] {
            assert_eq!(embedded_v4(v6(text)), None, "{text}");
        }
    }
}
