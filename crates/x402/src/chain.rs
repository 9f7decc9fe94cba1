//! Questions to a node of the chain (Ethereum JSON-RPC): who moved the money of an authorization, and whether a contract wallet signed.

use serde_json::{Value, json};

use crate::signature::{address, domain, keccak, number};
use crate::{Address, Network, Payment, Token};

/// Blocks of one question for logs: more is refused by many nodes.
pub const BLOCKS_OF_A_QUESTION: u64 = 2000;

/// The body of a call.
pub fn call(method: &str, params: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params })
}

/// The result of a call; `None` where there is an error or no answer to a call.
pub fn result(answer: &Value) -> Option<&Value> {
    if answer.get("error").is_some_and(|error| !error.is_null()) {
        return None;
    }
    answer.get("result")
}

/// Asks the token whether an authorization was used or cancelled.
pub fn authorization_state(token: &Token, payment: &Payment) -> Value {
    let from = address(payment.authorization.from);
    let data = abi("authorizationState(address,bytes32)", &[from, payment.authorization.nonce]);
    call("eth_call", &json!([{ "to": token.address.to_string(), "data": data }, "latest"]))
}

/// Reads a truth value.
pub fn read_bool(result: &Value) -> Option<bool> {
    let word = read_words(result)?;
    let (&last, rest) = word.first()?.split_last()?;
    match (last, rest.iter().all(|byte| *byte == 0)) {
        (0, true) => Some(false),
        (1, true) => Some(true),
        _ => None,
    }
}

/// Asks for the newest block's number.
pub fn block_number() -> Value {
    call("eth_blockNumber", &json!([]))
}

/// Reads a block's number.
pub fn read_number(result: &Value) -> Option<u64> {
    u64::from_str_radix(result.as_str()?.strip_prefix("0x")?, 16).ok()
}

/// Asks for the newest block.
pub fn newest_block() -> Value {
    call("eth_getBlockByNumber", &json!(["latest", false]))
}

/// When a block was made, in seconds since 1970.
pub fn read_block_time(block: &Value) -> Option<u64> {
    read_number(&block["timestamp"])
}

/// Asks for the chain's id.
pub fn chain_id() -> Value {
    call("eth_chainId", &json!([]))
}

/// Asks for the transactions in a range of blocks that used or cancelled an authorization.
pub fn end_logs(token: &Token, payment: &Payment, from_block: u64, to_block: u64) -> Value {
    let ends = ["AuthorizationUsed(address,bytes32)", "AuthorizationCanceled(address,bytes32)"];
    let ends = ends.map(|event| hex_text(&keccak(event.as_bytes())));
    let (from, nonce) = (hex_text(&address(payment.authorization.from)), payment.nonce());
    let filter = json!({
        "address": token.address.to_string(), "topics": [ends, from, nonce],
        "fromBlock": format!("0x{from_block:x}"), "toBlock": format!("0x{to_block:x}"),
    });
    call("eth_getLogs", &json!([filter]))
}

/// The transactions of logs.
pub fn transactions_of(logs: &Value) -> Vec<String> {
    let hashes = logs.as_array().into_iter().flatten().filter_map(|log| log["transactionHash"].as_str());
    hashes.map(str::to_owned).collect()
}

/// Asks for what a transaction did.
pub fn transaction_receipt(hash: &str) -> Value {
    call("eth_getTransactionReceipt", &json!([hash]))
}

/// Whether a transaction moved the payment's amount from its payer to its receiver by this authorization: the transfer follows
/// the use of the nonce. The use alone proves nothing, for its payer can sign another authorization with the same nonce; nor does a
/// transfer elsewhere in the transaction, which may be that of another payment.
pub fn has_paid(receipt: &Value, token: &Token, payment: &Payment) -> bool {
    let authorization = &payment.authorization;
    let used = [
        hex_text(&keccak(b"AuthorizationUsed(address,bytes32)")),
        hex_text(&address(authorization.from)),
        payment.nonce(),
    ];
    let topics = [
        hex_text(&keccak(b"Transfer(address,address,uint256)")),
        hex_text(&address(authorization.from)),
        hex_text(&address(authorization.to)),
    ];
    let value = hex_text(&number(authorization.value));
    let is_token = |log: &Value| log["address"].as_str().and_then(|text| text.parse().ok()) == Some(token.address);
    let is_use = |log: &Value| is_token(log) && log["topics"] == json!(used);
    let is_transfer = |log: &Value| is_token(log) && log["topics"] == json!(topics) && log["data"] == value.as_str();
    let logs = receipt["logs"].as_array().map(Vec::as_slice).unwrap_or_default();
    receipt["status"] == "0x1" && logs.windows(2).any(|pair| is_use(&pair[0]) && is_transfer(&pair[1]))
}

/// Asks the token for its EIP-712 domain.
pub fn domain_separator(token: &Token) -> Value {
    let data = abi("DOMAIN_SEPARATOR()", &[]);
    call("eth_call", &json!([{ "to": token.address.to_string(), "data": data }, "latest"]))
}

/// What the token has to say of its domain for payers' signatures to hold.
pub fn expected_domain_separator(network: &Network, token: &Token) -> String {
    hex_text(&domain(network, token))
}

/// Asks for the code of an account.
pub fn code(account: Address) -> Value {
    call("eth_getCode", &json!([account.to_string(), "latest"]))
}

/// Whether an account with this code is a contract.
pub fn is_contract(code: &Value) -> bool {
    code.as_str().is_some_and(|code| code.len() > 2 && code.starts_with("0x"))
}

/// Asks a contract wallet whether it signed (EIP-1271).
pub fn is_valid_signature(wallet: Address, digest: &[u8; 32], signature: &[u8]) -> Value {
    let mut words = vec![*digest, number(64), number(signature.len() as u64)];
    for chunk in signature.chunks(32) {
        let mut word = [0; 32];
        word[..chunk.len()].copy_from_slice(chunk);
        words.push(word);
    }
    let data = abi("isValidSignature(bytes32,bytes)", &words);
    call("eth_call", &json!([{ "to": wallet.to_string(), "data": data }, "latest"]))
}

/// Whether a wallet's answer is the one that means yes. An account without code answers with nothing.
pub fn has_signed(result: &Value) -> bool {
    let magic = &keccak(b"isValidSignature(bytes32,bytes)")[..4];
    read_words(result).is_some_and(|words| words.len() == 1 && words[0].starts_with(magic))
}

fn abi(signature: &str, words: &[[u8; 32]]) -> String {
    let selector = &keccak(signature.as_bytes())[..4];
    format!("0x{}{}", hex::encode(selector), hex::encode(words.concat()))
}

fn read_words(result: &Value) -> Option<Vec<[u8; 32]>> {
    let bytes = hex::decode(result.as_str()?.strip_prefix("0x")?).ok()?;
    let (words, rest) = bytes.as_chunks::<32>();
    (rest.is_empty() && !words.is_empty()).then(|| words.to_vec())
}

fn hex_text(word: &[u8; 32]) -> String {
    format!("0x{}", hex::encode(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vectors::{V1, offer};

    #[test]
    fn calls_are_encoded_as_contracts_read_them() {
        let (token, payment) = (offer().token, Payment::read(V1).unwrap());
        let state = authorization_state(&token, &payment);
        assert_eq!(state["params"][0]["to"], "0x036CbD53842c5426634e7929541eC2318f3dCF7e");
        let data = state["params"][0]["data"].as_str().unwrap();
        assert_eq!(data.len(), 2 + 2 * (4 + 64));
        assert!(
            data.starts_with("0xe94a0102000000000000000000000000f39fd6e51aad88f6f4ce6ab8827279cfffb92266"),
            "{data}"
        );
        let asked = is_valid_signature(payment.authorization.from, &[7; 32], &[1; 65]);
        assert!(asked["params"][0]["data"].as_str().unwrap().starts_with("0x1626ba7e0707"));
        let expected = expected_domain_separator(&offer().network, &token);
        assert_eq!(expected, "0x71f17a3b2ff373b803d70a5a07c046c1a2bc8e89c09ef722fcb047abe94c9818");
        let words = |text: &str| json!(format!("0x{text}{}", "0".repeat(64 - text.len())));
        assert!(has_signed(&words("1626ba7e")));
        assert!(!has_signed(&words("ffffffff")) && !has_signed(&json!("0x")));
        assert_eq!(read_bool(&json!(format!("0x{}1", "0".repeat(63)))), Some(true));
        assert_eq!(read_bool(&json!("0x")), None);
    }

    #[test]
    fn only_a_transfer_of_the_amount_to_the_receiver_has_paid() {
        let (token, payment) = (offer().token, Payment::read(V1).unwrap());
        let log = json!({
            "address": "0x036cbd53842c5426634e7929541ec2318f3dcf7e",
            "topics": [
                "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef",
                "0x000000000000000000000000f39fd6e51aad88f6f4ce6ab8827279cfffb92266",
                "0x000000000000000000000000209693bc6afc0c5328ba36faf03c514ef312287c",
            ],
            "data": format!("0x{:064x}", 30_000),
        });
        let used = json!({
            "address": "0x036cbd53842c5426634e7929541ec2318f3dcf7e",
            "topics": [
                "0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5",
                "0x000000000000000000000000f39fd6e51aad88f6f4ce6ab8827279cfffb92266",
                payment.nonce(),
            ],
            "data": "0x",
        });
        let receipt = |log: &Value| json!({ "status": "0x1", "logs": [used, log] });
        assert!(has_paid(&receipt(&log), &token, &payment));
        assert!(!has_paid(&json!({ "status": "0x1", "logs": [log] }), &token, &payment), "of another payment");
        assert!(!has_paid(&json!({ "status": "0x1", "logs": [log, used] }), &token, &payment), "of the one before");
        for (at, value) in [
            ("/address", json!("0x833589fcd6edb6e08f4c7c32d4f71b54bda02913")),
            ("/topics/2", json!("0x000000000000000000000000f39fd6e51aad88f6f4ce6ab8827279cfffb92266")),
            ("/data", json!(format!("0x{:064x}", 29_999))),
        ] {
            let mut other = log.clone();
            *other.pointer_mut(at).unwrap() = value;
            assert!(!has_paid(&receipt(&other), &token, &payment), "{at}");
        }
        assert!(!has_paid(&json!({ "status": "0x0", "logs": [used, log] }), &token, &payment));
        assert!(!has_paid(&Value::Null, &token, &payment));
    }
}
