import { mapMeasures, NO_MEASURES, sumKnown, sumMeasures } from '#core/figures/measures.ts';

test('a sum is known if all its parts are', () => {
  expect(sumKnown([])).toBe(0n);
  expect(sumKnown([1n, 2n])).toBe(3n);
  expect(sumKnown([1n, undefined, 2n])).toBeUndefined();
});

test('a measure that one day lacks takes no other measure from the sum', () => {
  const day = mapMeasures(() => 2n);
  expect(sumMeasures([day, { ...day, blobs: undefined }])).toEqual({
    ...mapMeasures(() => 4n),
    blobs: undefined,
  });
  expect(sumMeasures([])).toEqual(NO_MEASURES);
});
