import { chartKeyAction } from '#web/chart/chart-keys.ts';

test.each([
  ['ArrowLeft', undefined, 29],
  ['ArrowRight', undefined, 0],
  ['ArrowLeft', 0, 0],
  ['ArrowRight', 29, 29],
  ['PageUp', 20, 13],
  ['PageDown', 20, 27],
  ['Home', 20, 0],
  ['End', 20, 29],
])('%s moves the cursor from %p to %p of 30 dates', (key, from, to) => {
  expect(chartKeyAction(key, 30, from)).toEqual({ cursor: to });
});

test('Enter picks the date at the cursor, or the last', () => {
  expect(chartKeyAction('Enter', 30, 7)).toEqual({ pick: 7 });
  expect(chartKeyAction('Enter', 30, undefined)).toEqual({ pick: 29 });
});

test('+ zooms to half of the dates around the cursor, within the axis', () => {
  expect(chartKeyAction('+', 30, 15)).toEqual({ zoom: [8, 22] });
  expect(chartKeyAction('+', 30, 0)).toEqual({ zoom: [0, 14] });
  expect(chartKeyAction('+', 30, 29)).toEqual({ zoom: [15, 29] });
  expect(chartKeyAction('+', 2, 0)).toEqual({ zoom: [0, 1] });
});

test.each(['-', 'Escape', '0'])('%s shows all dates again', (key) => {
  expect(chartKeyAction(key, 30, 7)).toEqual({ zoom: undefined });
});
