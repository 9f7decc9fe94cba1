// The local chain: ganache with the chain id of Base's test network, and on it a token at the address that USDC has there.
// Clients know the token by that address, and a signature for the real one is valid here.
//
// The chain is in memory only. Its accounts come from a mnemonic that everybody knows.
import { readFileSync } from "node:fs";
import ganache from "ganache";
import solc from "solc";
import { createWalletClient, custom, getAddress, publicActions, toHex } from "viem";
import { generatePrivateKey, mnemonicToAccount, privateKeyToAccount } from "viem/accounts";
import { baseSepolia } from "viem/chains";

const MNEMONIC = "test test test test test test test test test test test junk";
export const CHAIN_ID = 84532;
export const TOKEN = getAddress("0x036CbD53842c5426634e7929541eC2318f3dCF7e");
const MULTICALL = "0xcA11bde05977b3631167028862bE2a173976CA11";
// The most that is minted at a time, USD 1,000,000.
const MAX_MINTED = 1_000_000_000_000n;
const STALE_AFTER_SECONDS = 1;

// The first accounts pay, the next settles, and the last is paid.
const PAYERS = 3;
const SETTLER = 3;
const PAYEE = 4;

export function account(index) {
    return mnemonicToAccount(MNEMONIC, { addressIndex: index });
}

/** Starts the chain on a free port and puts the contracts on it. */
export async function startChain(chainId) {
    const server = ganache.server({
        logging: { quiet: true },
        chain: { chainId, networkId: chainId, hardfork: "shanghai" },
        wallet: { mnemonic: MNEMONIC, totalAccounts: PAYEE + 1, defaultBalance: 1_000_000 },
    });
    await server.listen(0, "127.0.0.1");
    const chain = new Chain(server, chainId, compile());
    await chain.putContracts();
    for (let index = 0; index < PAYERS; index++) {
        await chain.mint(account(index).address, 1_000_000_000n);
    }
    return chain;
}

let compiled;
function compile() {
    return (compiled ??= compileContracts());
}

function compileContracts() {
    const input = {
        language: "Solidity",
        sources: { "contracts.sol": { content: readFileSync(new URL("contracts.sol", import.meta.url), "utf8") } },
        settings: {
            evmVersion: "shanghai",
            optimizer: { enabled: true, runs: 200 },
            outputSelection: { "*": { "*": ["abi", "evm.bytecode.object", "evm.deployedBytecode.object"] } },
        },
    };
    const output = JSON.parse(solc.compile(JSON.stringify(input)));
    const errors = (output.errors ?? []).filter((error) => error.severity === "error");
    if (errors.length > 0) {
        throw new Error(errors.map((error) => error.formattedMessage).join("\n"));
    }
    return output.contracts["contracts.sol"];
}

class Chain {
    constructor(server, chainId, contracts) {
        this.server = server;
        this.chainId = chainId;
        this.contracts = contracts;
        this.rpcUrl = `http://127.0.0.1:${server.address().port}`;
        this.payTo = account(PAYEE).address;
        this.payers = Array.from({ length: PAYERS }, (_, index) => ({
            address: account(index).address,
            privateKey: toHex(account(index).getHdKey().privateKey),
        }));
        this.settler = this.wallet(account(SETTLER));
        this.turn = Promise.resolve();
    }

    /** A client of the chain that signs with an account; it can do what the official signers can. */
    wallet(owner) {
        return createWalletClient({
            account: owner,
            chain: { ...baseSepolia, id: this.chainId, rpcUrls: { default: { http: [this.rpcUrl] } } },
            // The chain's refusals are final: viem would repeat the calls that ganache doesn't know for a second.
            transport: custom(this.server.provider, { retryCount: 0 }),
            pollingInterval: 5,
            cacheTime: 0,
        }).extend(publicActions);
    }

    request(method, params = []) {
        return this.server.provider.request({ method, params });
    }

    async putContracts() {
        await this.request("evm_setAccountCode", [TOKEN, `0x${this.contracts.Usdc.evm.deployedBytecode.object}`]);
        await this.request("evm_setAccountCode", [MULTICALL, `0x${this.contracts.Multicall.evm.deployedBytecode.object}`]);
    }

    /** Runs what sends transactions one after the other, because the chain numbers an account's transactions. */
    inTurn(send) {
        const result = this.turn.then(send);
        this.turn = result.catch(() => {});
        return result;
    }

    /** Mines a block when the last one is old: calls that are only tried run at the time of the last block. */
    async refresh() {
        const block = await this.settler.getBlock();
        if (Date.now() / 1000 - Number(block.timestamp) > STALE_AFTER_SECONDS) {
            await this.request("evm_mine");
        }
    }

    read(functionName, args = []) {
        return this.settler.readContract({ address: TOKEN, abi: this.contracts.Usdc.abi, functionName, args });
    }

    write(functionName, args) {
        return this.inTurn(async () => {
            const hash = await this.settler.writeContract({
                address: TOKEN, abi: this.contracts.Usdc.abi, functionName, args,
            });
            return this.settler.waitForTransactionReceipt({ hash });
        });
    }

    mint(address, value) {
        if (value < 0n || value > MAX_MINTED) {
            throw new RangeError(`the balance must be between 0 and ${MAX_MINTED}`);
        }
        return this.write("mint", [address, value]);
    }

    /** A new payer with its own key. One of kind `contract` is a wallet contract that the key owns. */
    async makePayer(kind, balance) {
        const privateKey = generatePrivateKey();
        const owner = privateKeyToAccount(privateKey).address;
        const address = kind === "contract" ? await this.deployWallet(owner) : owner;
        await this.mint(address, balance);
        return { kind, address, privateKey };
    }

    deployWallet(owner) {
        return this.inTurn(async () => {
            const { abi, evm } = this.contracts.Wallet;
            const hash = await this.settler.deployContract({ abi, bytecode: `0x${evm.bytecode.object}`, args: [owner] });
            const receipt = await this.settler.waitForTransactionReceipt({ hash });
            return getAddress(receipt.contractAddress);
        });
    }

    close() {
        return this.server.close();
    }
}
