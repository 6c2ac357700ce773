import {
  dependenciesFor,
  firstTrial,
  modelOfLines,
  planFor,
  runServersFor,
} from '@proofmark/harness/engine-trial.ts';
import {
  ask,
  type Definition,
  type Step,
  sunny,
  trialPlayer,
} from '@proofmark/harness/play-trial.ts';
import { afterAll, describe, expect, test } from 'vitest';

const player = trialPlayer();
afterAll(() => player.close());

describe('of two servers with a tool of one name', () => {
  const wikiWeather = { toolName: 'weather', serverName: 'Wiki' };
  const matching = { args: { city: 'Rome' } };
  const assertions = {
    toolCalledWith: { type: 'toolCalledWith', ...wikiWeather, args: matching },
    toolCalledAtLeastOnce: { type: 'toolCalledAtLeastOnce', ...wikiWeather },
    firstToolWas: { type: 'firstToolWas', ...wikiWeather },
    toolNeverCalled: { type: 'toolNeverCalled', toolName: 'weather', serverName: 'Shop' },
  } as const;
  const playTwo = async (tool: string, definition: Definition) => {
    const servers = await Promise.all(
      ['Shop', 'Wiki'].map(async (name, index) => {
        const { url } = await player.start();
        return { id: `srv_${index + 1}`, name, url };
      }),
    );
    const models = modelOfLines([{ calls: [{ tool, input: { city: 'Rome' } }] }, sunny]);
    const dependencies = dependenciesFor(runServersFor(player.mcp, servers), models);
    return firstTrial(dependencies, planFor(definition, servers));
  };

  test.each(Object.entries(assertions))('the wrong one does not pass %s', async (_, assertion) => {
    const step = { steps: [ask, { id: 'is', kind: 'assert', assertion }] } as Definition;
    const check = { steps: [ask], checks: { mode: 'replace', list: [assertion] } } as Definition;
    for (const definition of [step, check]) {
      expect((await playTwo('Wiki_weather', definition)).result).toBe('passed');
      expect((await playTwo('Shop_weather', definition)).result).toBe('failed');
    }
  });

  test('calls say whose they were, in the record, the turns and the spans', async () => {
    const step: Step = { id: 'is', kind: 'assert', assertion: assertions.toolCalledWith };
    const record = await playTwo('Shop_weather', { steps: [ask, step] });
    const made = { toolName: 'weather', serverName: 'Shop', serverId: 'srv_1' };
    expect(record).toMatchObject({
      actualToolCalls: [made],
      expectedToolCalls: [wikiWeather],
      trace: {
        prompts: [{ actualToolCalls: [made], missing: [wikiWeather], unexpected: [made] }],
        spans: expect.arrayContaining([expect.objectContaining(made)]),
      },
    });
    expect(record.chain.stageResults[2]).toMatchObject({
      state: 'failed',
      reason: 'missingToolCall',
    });
  });

  test('a server that is not one of the run is a failed set-up, whatever is asserted of it', async () => {
    for (const assertion of [
      { ...assertions.toolNeverCalled, serverName: 'Gone' },
      { ...assertions.firstToolWas, serverName: 'Gone' },
    ]) {
      const step: Step = { id: 'is', kind: 'assert', assertion };
      const check = { mode: 'replace', list: [assertion] } as const;
      for (const definition of [
        { steps: [ask, step] },
        { steps: [ask], checks: { ...check, list: [...check.list] } },
      ]) {
        expect(await playTwo('Wiki_weather', definition)).toMatchObject({
          status: 'setup_failed',
          result: null,
          error: expect.stringContaining('"Gone", which is not part of this run'),
        });
      }
    }
  });
});
