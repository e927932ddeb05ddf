import { startAnvil } from '../../local/anvil.ts';

const { arch } = process;
const guard = jest.fn();
afterEach(() => Object.defineProperty(process, 'arch', { value: arch }));

test('a machine without anvil is told what is missing and what to do', async () => {
  Object.defineProperty(process, 'arch', { value: 'abacus' });
  await expect(startAnvil({ chainId: 1, genesisTime: 0 }, guard)).rejects.toThrow(
    `The development node anvil is missing (@foundry-rs/anvil-${process.platform}-abacus): run npm ci again, without leaving out optional packages.`,
  );
});

test('an anvil that does not start says why', async () => {
  await expect(
    startAnvil({ chainId: 1, genesisTime: 0, switches: ['--no-such-switch'] }, guard),
  ).rejects.toThrow(/^anvil ended with code \d+: error: unexpected argument '--no-such-switch'/);
  expect(guard).toHaveBeenCalledTimes(1);
});
