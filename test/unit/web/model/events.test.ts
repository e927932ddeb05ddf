import { chainOf } from '#core/chains/chains.ts';
import { chainEvents, eventsBetween } from '#web/model/events.ts';

test('finds the events of some chains in a range, both ends included', () => {
  const names = (...range: Parameters<typeof eventsBetween>) =>
    eventsBetween(...range).map(({ name }) => name);
  expect(names(['ETHEREUM', 'BASE'], '2024-03-13', '2024-03-14')).toEqual(['Dencun', 'Ecotone']);
  expect(names(['BSC'], '2024-03-13', '2024-03-14')).toEqual([]);
});

test('agrees with the fork times of the fee rules', () => {
  const { rules } = chainOf('OPTIMISM');
  if (rules.family !== 'op-stack') throw new Error('OPTIMISM is not an OP Stack chain.');
  const dayOf = (seconds: number) => new Date(seconds * 1_000).toISOString().slice(0, 10);
  const times = {
    Ecotone: rules.ecotoneTime,
    Fjord: rules.fjordTime,
    Isthmus: rules.isthmusTime,
    Jovian: rules.jovianTime,
  };
  for (const [name, time] of Object.entries(times))
    expect(chainEvents.find((event) => event.name === name)?.date).toBe(dayOf(time));
});
