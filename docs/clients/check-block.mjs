/* Adds up Ethereum block 18,500,000 in three ways: RPC_URL=https://ethereum-rpc.publicnode.com node check-block.mjs */

const rpc = async (method, ...params) => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const headers = { 'Content-Type': 'application/json' };
  return (await (await fetch(process.env.RPC_URL, { method: 'POST', headers, body })).json()).result;
};
const block = await rpc('eth_getBlockByNumber', '0x11a49a0', false);
const receipts = await rpc('eth_getBlockReceipts', '0x11a49a0');
const sum = (f) => receipts.reduce((total, receipt) => total + f(receipt), 0n);
const gas = (r) => BigInt(r.gasUsed);
const price = (r) => BigInt(r.effectiveGasPrice);
console.log(
  'paid, wei:             ',
  sum((r) => gas(r) * price(r)),
);
console.log(
  'without burned base fee:',
  sum((r) => gas(r) * (price(r) - BigInt(block.baseFeePerGas))),
);
console.log('gas x average price:   ', (sum(gas) * sum(price)) / BigInt(receipts.length));
