import {
  changedRule,
  inElement,
  ProofError,
  present,
  unknownRule,
} from '#core/proof/encoding/proof-error.ts';

const caught = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return error;
  }
};

test('only a rule that is not known here, or has changed, may leave the block right', () => {
  const problem = { isRuleChange: false, isIncomplete: false };
  expect(new ProofError('gas', 'wrong')).toMatchObject(problem);
  expect(unknownRule('gas', 'wrong')).toMatchObject({ isRuleChange: true, isIncomplete: false });
  expect(changedRule('gas', 'wrong')).toMatchObject({
    isRuleChange: true,
    message: 'wrong: this chain has changed its rules. Update Chain Insights.',
  });
});

test('names the element, and keeps what else is known of the error', () => {
  const inTwo = (error: Error) =>
    caught(() =>
      inElement('receipts', 2, () => {
        throw error;
      }),
    );
  expect(inTwo(unknownRule('type', 'wrong'))).toMatchObject({
    field: 'receipts[2].type',
    isRuleChange: true,
  });
  const incomplete = new ProofError('', 'lost', { isIncomplete: true });
  expect(inTwo(incomplete)).toMatchObject({ field: 'receipts[2]', isRuleChange: false, isIncomplete: true });
  const other = new TypeError('a fault of ours');
  expect(inTwo(other)).toBe(other);
});

test.each([0, 0n, '', false])('%p is present', (value) => {
  expect(present('gas', value)).toBe(value);
});

test.each([null, undefined])('%p is a member that the node left out', (value) => {
  expect(() => present('gas', value)).toThrow(expect.objectContaining({ name: 'ProofError', field: 'gas' }));
});
