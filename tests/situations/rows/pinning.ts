import { calls, contains, promptCase } from '../cases.ts';
import { passed } from '../expectations.ts';
import { asked, says, weather } from '../servers/weather-server.ts';
import type { Ids, RunSituation, SeenRun, SituationFixture } from '../situation.ts';

/** A case with two calls and an event between them. Both calls must reach the first server. */
const twice = (more: object = {}) =>
  promptCase(
    'Ask for the weather twice.',
    [contains('old house')],
    [
      calls(['weather', { city: 'Rome' }]),
      { calls: [{ tool: 'weather', input: { city: 'Rome' } }], happens: true },
      { echo: true },
    ],
    more,
  );
const servers = () => ({
  A: weather({ weather: says('The old house answers.') }),
  B: weather({ weather: says('The new house answers.') }),
});
const onlyA = async (fixture: SituationFixture, ids: Ids) =>
  fixture.get(200, 'PATCH', `eval-suites/${ids.suiteId}`, {
    environment: { servers: [ids.servers['A']] },
  });
const edit = (fixture: SituationFixture, ids: Ids) =>
  fixture.get(200, 'PATCH', `servers/${ids.servers['A']}`, { url: ids.started['B']?.url });
const nobodyCalledB = ({ servers: { B } }: SeenRun) =>
  asked(B?.requests) === 0 ? [] : ['The other address was called.'];
const expected = (times = 1) => ({ verdict: 'passed' as const, trials: [passed({ times })] });

export const pinning: readonly RunSituation[] = [
  {
    name: 'the address of the server is edited in mid-run',
    servers: servers(),
    cases: [twice({ runs: 3 })],
    before: onlyA,
    happens: edit,
    expected: expected(3),
    also: nobodyCalledB,
  },
  {
    name: 'trials that begin after the edit go to the old address too',
    servers: servers(),
    cases: [twice({ runs: 10 })],
    before: onlyA,
    happens: edit,
    limits: { trialsAtOncePerRun: 2 },
    expected: expected(10),
    also: nobodyCalledB,
  },
  {
    name: 'the server is deleted in mid-run, once no suite uses it',
    servers: servers(),
    cases: [twice({ runs: 3 })],
    before: onlyA,
    happens: async (fixture, ids) => {
      const other = { environment: { servers: [ids.servers['B']] } };
      await fixture.get(200, 'PATCH', `eval-suites/${ids.suiteId}`, other);
      await fixture.get(200, 'DELETE', `servers/${ids.servers['A']}`);
    },
    expected: expected(3),
    replayed: /The server "Server-B-\w+" was not recorded\./,
    also: nobodyCalledB,
  },
  {
    name: 'the server is edited and the worker restarts in mid-run',
    alone: true,
    servers: servers(),
    cases: [twice({ runs: 4 })],
    before: onlyA,
    happens: async (fixture, ids) => {
      await edit(fixture, ids);
      // Not awaited: the restart waits for the worker's end, and the worker waits for this answer.
      void fixture.restartWorker();
    },
    after: (fixture) => fixture.restartWorker(),
    limits: { trialsAtOncePerRun: 1 },
    expected: expected(4),
    also: nobodyCalledB,
  },
];
