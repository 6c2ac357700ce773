/**
 * An in-memory project: it imports suite files, plays their runs, and responds like the HTTP API,
 * with the same shapes and refusals. It uses no database and writes no files.
 */
import type { BodyOf, OutputOf } from '@proofmark/contract';
import {
  forecastStated,
  notFound,
  replaceByFile,
  type StatedQuarantine,
  type SuiteFile,
  selectEnvironment,
  serversBefore,
  suiteFromFile,
  type TrialFilter,
} from '@proofmark/domain';
import { refuse } from '../../../platform/operations/action.ts';
import { makeNewId } from '../../../platform/operations/make-new-id.ts';
import type { PinnedServer } from '../../servers/index.ts';
import { presentRecording } from '../operations/runs/get-eval-iteration-recording.ts';
import { hasEndedOtherwise } from '../operations/runs/has-ended-otherwise.ts';
import type { LaunchContext } from '../operations/runs/launch-context.ts';
import { noBaseRun } from '../operations/runs/no-base-run.ts';
import { chooseCases, planLaunch, type SuiteOfLaunch } from '../operations/runs/plan-launch.ts';
import type { PreparedLaunch } from '../operations/runs/prepared-launch.ts';
import { noTools } from '../operations/runs/present-tools.ts';
import { presentQuarantine } from '../operations/suites/quarantine-of-suite.ts';
import {
  allowWritesPath,
  modelPath,
  placedIn,
  readImportedFile,
  refuseEnvironment,
  refuseQuarantineOf,
  serversOfFile,
  warningsAsWritten,
  warningsOfFile,
  warningsOfTexts,
} from '../operations/suites/read-imported-file.ts';
import { refuseRowsLength } from '../operations/suites/refuse-rows.ts';
import { warningsOfSuite } from '../operations/suites/warnings-of-suite.ts';
import { type AuthoredCase, casesAsStored } from '../store/eval-cases.ts';
import type { StoredQuarantineEntry } from '../store/quarantine.ts';
import type { InMemoryRun } from './in-memory-run.ts';
import { KeptServers, type RulesOfServers } from './kept-servers.ts';
import { asJson } from './kept-trial.ts';
import {
  type InMemoryDependencies,
  planInMemory,
  playInMemory,
  replayInMemory,
} from './launch-in-memory.ts';
import { type PlacedTrials, placeTrials, type TrialOfFile } from './recorded-trials.ts';

type RequestToLaunch = Pick<
  BodyOf<'createEvalRun'>,
  'suiteId' | 'iterationOverride' | 'trials' | 'modelApiKeys' | 'replay'
>;

interface KeptSuite extends SuiteOfLaunch {
  readonly description: string | null;
  readonly cases: readonly AuthoredCase[];
  readonly quarantine: readonly StoredQuarantineEntry[];
}

export interface PlanInMemory {
  readonly launch: PreparedLaunch;
  readonly pinned: readonly PinnedServer[];
}

export class InMemoryProject {
  readonly id = makeNewId('project');
  readonly #dependencies: InMemoryDependencies;
  readonly servers: KeptServers;
  readonly #suites = new Map<string, KeptSuite>();
  readonly #runs = new Map<string, InMemoryRun>();
  readonly #recorded = new Map<string, PlacedTrials>();
  readonly #listed = new Map<string, ReadonlySet<string>>();

  /** `rules` are needed to save servers. Without them, suites can refer to servers by name only. */
  constructor(dependencies: InMemoryDependencies, rules?: RulesOfServers) {
    this.#dependencies = dependencies;
    this.servers = new KeptServers(this.id, rules);
  }

  async importSuite(body: BodyOf<'importEvalSuite'>): Promise<OutputOf<'importEvalSuite'>> {
    const imported = await readImportedFile(body);
    const { file, places } = imported;
    refuseQuarantineOf({ file, places }, new Date());
    const known = [...this.#suites.values()].find(
      ({ definition }) => definition.declaredId === file.suite.id,
    );
    const servers = serversOfFile(
      file,
      this.servers.all,
      body.serverIds ?? {},
      known && serversBefore(known),
    );
    if (file.target.environment !== undefined) refuseEnvironment(file.target.environment);
    const suite = this.#suiteOf(file, known, servers);
    this.#suites.set(suite.id, suite);
    const written = suite.cases.map(({ definition }) => definition);
    const { models, limits } = this.#dependencies;
    const named = servers.map(({ id, name }) => ({ id, name }));
    return {
      suiteId: suite.id,
      name: suite.name,
      servers: named,
      caseUpsert: {
        committed: suite.cases.map(({ id, definition }) => ({ id, name: definition.title })),
        failed: [],
      },
      replaced: known !== undefined,
      warnings: [
        ...warningsOfTexts(imported),
        ...warningsAsWritten(
          [
            ...warningsOfFile(file),
            ...warningsOfSuite(suite, placedIn(written), {
              servers: named.length === 0 ? undefined : named,
              listed: named.length === 0 ? undefined : this.#listedOf(named),
              offer: models.offer,
              noWidgets: limits.noWidgets,
              modelPath,
              allowWritesPath,
            }),
          ],
          places,
        ),
      ],
    };
  }

  /**
   * If a suite with the same declared id was imported before, its case ids are kept. So the history
   * of the suite in this process continues.
   */
  #suiteOf(
    file: SuiteFile,
    known: KeptSuite | undefined,
    servers: readonly { readonly id: string; readonly name: string }[],
  ): KeptSuite {
    const id = known?.id ?? makeNewId('evalSuite');
    const before = known && {
      ...known,
      quarantine: [],
      tags: [],
      environments: [],
      schedule: { enabled: false },
      servers: this.servers.all.filter((one) => known.serverIds.includes(one.id)),
    };
    const fromFile = suiteFromFile(file);
    const { name, description, definition, cases } =
      before === undefined
        ? {
            ...fromFile,
            cases: fromFile.cases.map((one) => ({ before: undefined, definition: one })),
          }
        : replaceByFile(before, file);
    const stored = casesAsStored(
      id,
      cases.map(({ before: was, definition }) =>
        was === undefined
          ? { id: makeNewId('evalCase'), definition }
          : { id: was.id, caseKey: was.caseKey, definition },
      ),
    );
    refuseRowsLength(stored.rowsLength);
    return {
      id,
      name,
      description,
      definition: asJson(definition),
      cases: stored.cases,
      serverIds: servers.map((one) => one.id),
      environmentIds: [],
      hosts: [],
      quarantine: fromFile.quarantine.map(entryOfFile),
    };
  }

  /** `steady` is empty, because it needs a stored history of runs. */
  listQuarantine(suiteId: string): OutputOf<'listEvalQuarantine'> {
    const { cases, definition, quarantine } = this.#suites.get(suiteId) ?? refuse(notFound);
    return presentQuarantine(quarantine, {
      cases: cases.map((one) => ({ ...one, title: one.definition.title })),
      share: definition.settings.quarantineShare,
      steady: [],
      now: new Date(),
    });
  }

  #listedOf(servers: readonly { readonly id: string; readonly name: string }[]) {
    return servers.map(({ id, name }) => ({ name, tools: this.#listed.get(id) }));
  }

  keepRecorded(
    suiteId: string,
    trials: readonly TrialOfFile[],
    repetitions: number | undefined,
  ): { readonly runId: string; readonly trials: number; readonly missing: readonly string[] } {
    const suite = this.#suites.get(suiteId) ?? refuse(notFound);
    const placed = placeTrials(suite, trials, repetitions);
    const runId = makeNewId('evalRun');
    this.#recorded.set(runId, placed);
    return { runId, trials: placed.trials.length, missing: placed.missing };
  }

  launch({ suiteId = '', replay, ...request }: RequestToLaunch): OutputOf<'createEvalRun'> {
    const suite = this.#suites.get(suiteId) ?? refuse(notFound);
    const recorded = replay && this.#recorded.get(replay.runId);
    if (replay !== undefined && recorded === undefined) return refuse(notFound);
    const context = this.#contextOf(suite);
    const asked = {
      suite,
      context,
      listed: this.#listedOf(context.servers),
      projectId: this.id,
      runNumber: this.#runs.size + 1,
    };
    const runRequest = { ...request, suiteId };
    const pinned = this.servers.pinned(context.servers.map(({ id }) => id));
    const run =
      replay && recorded
        ? replayInMemory(
            { ...asked, recorded, request: { ...runRequest, replay } },
            this.#dependencies,
          )
        : playInMemory({ ...asked, pinned, request: runRequest }, this.#dependencies);
    const { id: runId } = run.stored;
    this.#runs.set(runId, run);
    return {
      runId,
      suiteId,
      status: 'pending',
      servers: [...context.servers],
      environment: null,
      caseUpsert: { committed: [], failed: [] },
      warnings: [...(run.plan.warnings ?? [])],
    };
  }

  planOn(suiteId: string, model: string): PlanInMemory {
    const suite = this.#suites.get(suiteId) ?? refuse(notFound);
    const context = this.#contextOf(suite);
    const cases = suite.cases.map((one) => ({
      ...one,
      definition: { ...one.definition, models: [{ model }] },
    }));
    const pinned = this.servers.pinned(context.servers.map(({ id }) => id));
    const asked = {
      suite: { ...suite, cases },
      context,
      listed: this.#listedOf(context.servers),
      projectId: this.id,
      runNumber: this.#runs.size + 1,
      request: { suiteId },
      pinned,
    };
    return { launch: planInMemory(asked, this.#dependencies), pinned };
  }

  /** Tells what it takes to see a drop, without servers, models and earlier runs. */
  forecast(suiteId: string, stated: BodyOf<'planEvalSuite'>): OutputOf<'planEvalSuite'> {
    const suite = this.#suites.get(suiteId) ?? refuse(notFound);
    const chosen = chooseCases(suite, { suiteId }, this.#contextOf(suite));
    const { plan } = planLaunch(chosen, undefined, this.#dependencies.limits);
    const variants = plan.cases.flatMap((planned) =>
      planned.variants.map((variant) => ({ planned, variant })),
    );
    const outcome = forecastStated(variants, stated);
    if ('refusal' in outcome) return refuse(outcome.refusal);
    const { cases, run } = outcome.forecast;
    return { suiteId, drop: stated.drop, cases: [...cases], run };
  }

  #contextOf({ environmentIds, serverIds: savedServerIds }: KeptSuite): LaunchContext {
    const choice = {
      environmentIds,
      savedServerIds,
      environmentId: undefined,
      serverIds: undefined,
    };
    const selection = selectEnvironment(choice);
    if ('refusal' in selection) return refuse(selection.refusal);
    const ids: readonly string[] = 'serverIds' in selection ? selection.serverIds : [];
    const servers = ids.flatMap((wanted) =>
      this.servers.all.flatMap(({ id, name }) => (id === wanted ? [{ id, name }] : [])),
    );
    return { servers, environment: null, played: undefined, skills: [] };
  }

  readRun(runId: string): OutputOf<'getEvalRun'> {
    const run = this.#find(runId);
    for (const [id, tools] of run.listedTools()) this.#listed.set(id, tools);
    return run.present();
  }

  readTrials(
    runId: string,
    filter: TrialFilter,
    { limit = 50, cursor = '0' }: { readonly limit?: number; readonly cursor?: string },
  ): OutputOf<'listEvalRunIterations'> {
    const items = this.#find(runId).presentTrials(filter, limit + 1, Number(cursor));
    const page = items.slice(0, limit);
    return items.length <= limit
      ? { items: page.map(({ item }) => item) }
      : { items: page.map(({ item }) => item), nextCursor: String(page.at(-1)?.ordinal) };
  }

  readRecording(runId: string, trialId: string): Promise<OutputOf<'getEvalIterationRecording'>> {
    const recording = this.#find(runId).recordingOf(trialId) ?? refuse(notFound);
    const { state, content, durations = null } = recording;
    return presentRecording({
      state,
      content: content === undefined ? null : Buffer.from(content, 'base64'),
      durations: durations && JSON.stringify(durations),
    });
  }

  readTools(runId: string, trialId: string): OutputOf<'getEvalIterationTools'> {
    return this.#find(runId).toolsOf(trialId) ?? refuse(noTools);
  }

  /**
   * Rejects every comparison of tool surfaces, because an in-memory run has no earlier run to
   * compare with.
   */
  refuseSurface(): never {
    return refuse(noBaseRun(undefined));
  }

  async cancelRun(runId: string): Promise<OutputOf<'cancelEvalRun'>> {
    const run = this.#find(runId);
    const { status } = run.stored;
    if (run.hasEnded && status !== 'cancelled') refuse(hasEndedOtherwise(status));
    await run.end('cancelled');
    return run.present();
  }

  #find(runId: string): InMemoryRun {
    return this.#runs.get(runId) ?? refuse(notFound);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#runs.values()].map((run) => run.end('cancelled')));
  }
}

function entryOfFile({ caseId, expiresAt, ...entry }: StatedQuarantine): StoredQuarantineEntry {
  return {
    ...entry,
    id: makeNewId('quarantineEntry'),
    caseRef: caseId,
    expiresAt: new Date(expiresAt),
    source: 'file',
    createdAt: new Date(),
    createdByEmail: '',
    removedAt: null,
  };
}
