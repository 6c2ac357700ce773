/**
 * Runs a suite with three cases and reruns parts of it. One case passes, one fails on one of its
 * models, and one is never graded.
 */
import { type EndedRun, type EvalFixture, startEvalFixture } from './eval-fixture.ts';
import type { ModelScript } from './model-servers/start-openai-server.ts';
import { whole } from './stage-row.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
type Answer = any;

export const answersWell: ModelScript = ({ messages }) =>
  messages.some(({ role }) => role === 'tool')
    ? { text: 'It is sunny in Rome.' }
    : { toolCalls: [{ name: 'weather', arguments: { city: 'Rome' } }] };

export interface RerunFixture extends EvalFixture {
  readonly serverId: string;
  played(run?: object, more?: object): Promise<EndedRun & { readonly suiteId: string }>;
  rerun(runId: string, body: object): ReturnType<EvalFixture['ask']>;
  /**
   * Starts a rerun and waits until it ends. `variants` lists the case and model of each new trial.
   */
  reran(
    runId: string,
    body: object,
  ): Promise<EndedRun & { readonly launched: Answer; readonly variants: readonly string[] }>;
}

export const onModels = (...models: string[]) => ({
  models: models.map((name) => ({ model: `local/${name}` })),
});

export async function startRerunFixture(): Promise<RerunFixture> {
  const price = { inputPerMillion: 1, outputPerMillion: 1 };
  const fixture = await startEvalFixture(
    {
      one: answersWell,
      bad: () => ({ text: 'I do not know.' }),
      away: () => ({ status: 500 }),
    },
    {},
    { one: price, bad: price, away: price },
  );
  const serverId = (await fixture.mcpServer()).id;
  const rerun: RerunFixture['rerun'] = (runId, body) =>
    fixture.ask('POST', `eval-runs/${runId}/rerun`, body);
  return {
    ...fixture,
    serverId,
    rerun,
    async played(run = {}, more = {}) {
      const suiteId = await fixture.suite({
        serverIds: [serverId],
        cases: [
          { title: 'Good', steps: whole, ...onModels('one') },
          { title: 'Half', steps: whole, ...onModels('one', 'bad') },
          { title: 'Away', steps: whole, ...onModels('away') },
        ],
        ...more,
      });
      return { suiteId, ...(await fixture.run(suiteId, run)) };
    },
    async reran(runId, body) {
      const launched = await fixture.expect(202, rerun(runId, body));
      const ended = await fixture.read(launched.runId);
      const variants = ended.trials.map(({ title, model }) => `${title} ${model}`);
      return { launched, ...ended, variants };
    },
  };
}
