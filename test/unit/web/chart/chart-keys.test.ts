import { chartKeyAction } from '#web/chart/chart-keys.ts';

test.each([
  ['ArrowLeft', undefined, 28],
  ['ArrowDown', 20, 19],
  ['ArrowLeft', 0, 0],
  ['ArrowUp', 20, 21],
  ['ArrowRight', 29, 29],
  ['PageUp', 20, 27],
  ['PageDown', 20, 13],
  ['Home', 20, 0],
  ['End', 20, 29],
])('%s moves the cursor from %p to %p of 30 dates', (key, from, to) => {
  expect(chartKeyAction(key, 30, from)).toEqual({ cursor: to });
});

test('Enter picks the date at the cursor, or the last', () => {
  expect(chartKeyAction('Enter', 30, 7)).toEqual({ pick: 7 });
  expect(chartKeyAction('Enter', 30, undefined)).toEqual({ pick: 29 });
});

test('Escape resets the zoom', () => {
  expect(chartKeyAction('Escape', 30, 7)).toBe('reset');
});
