import { startAnvil } from '#local/anvil.ts';

const { arch } = process;
const guard = jest.fn();
afterEach(() => Object.defineProperty(process, 'arch', { value: arch }));

test('names the missing package and the remedy on a machine without anvil', async () => {
  Object.defineProperty(process, 'arch', { value: 'abacus' });
  await expect(startAnvil({ chainId: 1, genesisTime: 0 }, guard)).rejects.toThrow(
    `The development node anvil is missing: @foundry-rs/anvil-${process.platform}-abacus is not installed. Run npm ci with optional packages.`,
  );
});

test('reports why anvil does not start', async () => {
  await expect(
    startAnvil({ chainId: 1, genesisTime: 0, switches: ['--no-such-switch'] }, guard),
  ).rejects.toThrow(/^anvil exited with code \d+: error: unexpected argument '--no-such-switch'/);
  expect(guard).toHaveBeenCalledTimes(1);
});
