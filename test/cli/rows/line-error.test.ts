import { LineError, withTitle } from '../../../cli/rows/line-error.ts';

test('a line is told with its file, and any other error stays as it is', () => {
  expect(withTitle('stdin', new LineError(2, 'it is bad.'))).toMatchObject({
    name: 'CommandError',
    message: 'stdin: line 2: it is bad.',
  });
  const other = new Error('away');
  expect(withTitle('stdin', other)).toBe(other);
});
