/** Returns `test` where the tests can run, and otherwise one that skips them and states in their titles what they need. */
export const testIf = (canRun: boolean, need: string): jest.It =>
  canRun
    ? test
    : Object.assign((title: string, ...given: [jest.ProvidesCallback?, number?]) => {
        test.skip(`${title} (skipped: needs ${need})`, ...given);
      }, test.skip);
