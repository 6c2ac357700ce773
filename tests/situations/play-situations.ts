import { type Compared, compareFacts, compareRun } from './compare.ts';
import { modelsOf, modelsUnderTest, openServers, playRun } from './play-run.ts';
import { replayProblems } from './replay-run.ts';
import type {
  AskSituation,
  Situation,
  SituationFixture,
  StartedServer,
  Theme,
} from './situation.ts';
import { startSituationFixture } from './situation-fixture.ts';

export interface Played extends Compared {
  readonly theme: string;
  readonly name: string;
  readonly tookMs: number;
}

const rowsAtOnce = 8;

export async function playSituations(
  themes: readonly Theme[],
  isWanted: (row: Situation, theme: string) => boolean,
): Promise<Played[]> {
  const rows = themes.flatMap(({ theme, situations }) =>
    situations.filter((row) => isWanted(row, theme)).map((row) => ({ theme, row })),
  );
  const models = rows.flatMap(({ row }, number) => ('cases' in row ? modelsOf(row, number) : []));
  const fixture = await startSituationFixture(models.length === 0 ? ['none'] : models);
  const played: Played[] = [];
  const play = async (number: number) => {
    const { theme, row } = rows[number] as (typeof rows)[number];
    const begunMs = performance.now();
    const compared = await playOne(row, number, fixture);
    const tookMs = Math.round(performance.now() - begunMs);
    played[number] = { theme, name: row.name, ...compared, tookMs };
  };
  try {
    const numbers = rows.map((_, number) => number);
    const together = numbers.filter((number) => rows[number]?.row.alone !== true);
    await Promise.all(
      Array.from({ length: rowsAtOnce }, async () => {
        for (let next = together.shift(); next !== undefined; next = together.shift()) {
          await play(next);
        }
      }),
    );
    for (const number of numbers) if (rows[number]?.row.alone === true) await play(number);
    return played;
  } finally {
    await fixture.stop();
  }
}

/**
 * Executes a row. A row that cannot be completed becomes a problem, and does not stop other rows.
 */
async function playOne(
  row: Situation,
  number: number,
  fixture: SituationFixture,
): Promise<Compared> {
  try {
    if ('cases' in row) {
      const seen = await playRun(row, number, fixture);
      const compared = await compareRun(row, seen);
      for (const model of modelsUnderTest(row, number)) fixture.scripts.delete(model);
      const replayed = await replayProblems(row, seen, fixture);
      return { ...compared, problems: [...compared.problems, ...replayed] };
    }
    return compareFacts(row.expected, await askOn(row, fixture));
  } catch (error) {
    const words = String(error).slice(0, 1000);
    return { expected: expectedOf(row), got: 'it could not be played', problems: [words] };
  }
}

async function askOn(row: AskSituation, fixture: SituationFixture) {
  const started: Record<string, StartedServer> = {};
  try {
    const { ids } = await openServers(row.servers ?? {}, fixture, started);
    return await row.ask(fixture, { servers: ids, suiteId: '', started });
  } finally {
    for (const server of Object.values(started)) await server.stop();
  }
}

function expectedOf(row: Situation): string {
  return JSON.stringify('cases' in row ? row.expected.verdict : row.expected);
}
