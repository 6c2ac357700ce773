/**
 * A run whose trials are kept in memory. Its concurrency, decision rules and response shapes are
 * those of a stored run.
 */
import { setMaxListeners } from 'node:events';
import type { OutputOf } from '@proofmark/contract';
import {
  carriedOutPlans,
  type EndedOrOpenTrial,
  firstTrials,
  followPlan,
  type PlannedTrial,
  picksTrial,
  placedPlans,
  planTrials,
  type RunPlan,
  resultsOfPlan,
  summarizeReplay,
  type TrialFilter,
  type TrialWarning,
  verdictPolicyVersion,
} from '@proofmark/domain';
import { sha256Hex } from '../../../kernel/sha256-hex.ts';
import { pause } from '../../../platform/database/pause.ts';
import type { RunLimits } from '../../../platform/spending/run-limits.ts';
import { mostAttempts, pauseAfter } from '../../../platform/work/attempt-limit.ts';
import { joinedSignal } from '../../../platform/work/joined-signal.ts';
import { costOfAttempt } from '../../../platform/work/store/leased-work.ts';
import {
  closingOf,
  countUnasserted,
  decideEndedRun,
  type EndedAs,
} from '../operations/runs/end-of-run.ts';
import type { PreparedLaunch } from '../operations/runs/prepared-launch.ts';
import { hasEnded, presentRun } from '../operations/runs/present-run.ts';
import { presentTools, surfaceOfText } from '../operations/runs/present-tools.ts';
import { presentTrial } from '../operations/runs/present-trial.ts';
import {
  casesOfLaunch,
  pendingTrial,
  snapshotOfLaunch,
  trialsOfLaunch,
} from '../operations/runs/rows-of-launch.ts';
import type { StoredRun } from '../store/eval-runs.ts';
import type { CaseOfTrials, PendingTrial } from '../store/launched-runs.ts';
import { namesIn } from '../store/listed-tools.ts';
import type { TrialToWrite } from '../store/record-trials.ts';
import type { StoredTrial } from '../store/stored-trials.ts';
import { brokenTrial } from '../work/broken-trial.ts';
import { asJson, isOpen, keptTrial, type TrialState } from './kept-trial.ts';
import {
  callsNothing,
  countAlike,
  countWarned,
  judgeVotesOf,
  leftOutOfRun,
  sumSpending,
  tallyRefused,
} from './seen-of-run.ts';

export interface TrialPlayer {
  /**
   * Rejects on an internal failure. The error message is stored with the trial, so it must contain
   * no secrets.
   */
  play(trial: PlannedTrial, signal: AbortSignal, besides: BesidesTrial): Promise<TrialToWrite>;
  close(): Promise<void>;
}

/** Receives data about a trial that its result does not contain, even after the run has ended. */
export interface BesidesTrial {
  warn(warnings: readonly TrialWarning[]): void;
  pay(spent: TrialToWrite['spent']): void;
}

type Ids = Pick<StoredRun, 'id' | 'projectId' | 'runNumber'>;
type ShownTrial = OutputOf<'listEvalRunIterations'>['items'][number];
type NewId = Parameters<typeof trialsOfLaunch>[1];

interface KeptRow {
  readonly pending: PendingTrial;
  state: TrialState;
  kept?: StoredTrial | undefined;
  after?: readonly TrialWarning[];
  readonly lost: TrialToWrite['spent'][number][];
}

export class InMemoryRun {
  readonly plan: RunPlan;
  readonly #cases: readonly CaseOfTrials[];
  readonly #rows: Map<number, KeptRow>;
  readonly #newId: NewId;
  readonly #limits: RunLimits;
  readonly #stopping = new AbortController();
  #run: StoredRun;
  #ended: Promise<void> = Promise.resolve();
  readonly surfaces = new Map<string, string>();

  constructor(launch: PreparedLaunch, ids: Ids, limits: RunLimits, newId: NewId) {
    this.plan = asJson(launch.plan);
    this.#limits = limits;
    this.#cases = asJson(casesOfLaunch(launch));
    this.#newId = newId;
    this.#rows = new Map(trialsOfLaunch(launch, newId).map(rowOf));
    const { replay } = this.plan;
    this.#run = {
      ...nothingYet,
      ...ids,
      suiteId: launch.suiteId,
      organizationId: '',
      verdictPolicyVersion: 'policy' in launch.terms ? verdictPolicyVersion : null,
      snapshot: asJson(snapshotOfLaunch(launch)),
      assertsNothing: launch.assertsNothing,
      expectedIterations: this.#rows.size,
      createdAt: new Date(),
      replay: replay === undefined ? null : summarizeReplay(replay, []),
    };
  }

  get stored(): StoredRun {
    return this.#run;
  }

  get hasEnded(): boolean {
    return hasEnded(this.#run);
  }

  /** An error during play is an internal failure and ends the run as failed. */
  begin(player: TrialPlayer): void {
    const timer = setTimeout(() => void this.end('failed'), this.#limits.runTimeoutMs);
    timer.unref();
    this.#run = { ...this.#run, status: 'running' };
    this.#ended = this.#playAll(player)
      .then(() => this.#finish('completed'))
      .finally(async () => {
        clearTimeout(timer);
        await player.close();
      });
    // `settle` rejects with the same error. Here, the error only ends the run.
    this.#ended.catch(() => this.#finish('failed'));
  }

  async settle(): Promise<void> {
    await this.#ended;
  }

  async end(as: Exclude<EndedAs, 'completed'>): Promise<void> {
    this.#finish(as);
    this.#stopping.abort(new Error('The run was stopped.'));
    await this.#ended.catch(() => undefined);
  }

  async #playAll(player: TrialPlayer): Promise<void> {
    const waiting = firstTrials(this.plan);
    const { signal } = this.#stopping;
    setMaxListeners(0, signal);
    const playing = new Set<Promise<void>>();
    while (playing.size > 0 || (waiting.length > 0 && !signal.aborted)) {
      const isFull = playing.size >= this.#limits.trialsAtOncePerRun;
      const trial = isFull || signal.aborted ? undefined : waiting.shift();
      if (trial === undefined) {
        await Promise.race(playing);
        continue;
      }
      const played = this.#playOne(player, trial, signal).then(() => {
        playing.delete(played);
        waiting.push(...this.#beginNextLook(trial));
      });
      // Prevents an unhandled rejection. Awaiting callers still get the error; trials in progress
      // are stopped when the run ends.
      played.catch(() => undefined);
      playing.add(played);
    }
  }

  /**
   * A trial plan starts its trials in batches (looks) and may stop after each. Returns the trials
   * of the next look if this trial was the last of its look.
   */
  #beginNextLook({ ordinal }: PlannedTrial): readonly PlannedTrial[] {
    const placed = placedPlans(this.plan).find(
      ({ firstOrdinal, lastOrdinal }) => firstOrdinal <= ordinal && ordinal <= lastOrdinal,
    );
    if (placed === undefined || this.hasEnded) return [];
    const begun = [];
    for (let at = placed.firstOrdinal; at <= placed.lastOrdinal; at += 1) {
      const row = this.#rows.get(at);
      if (row !== undefined) begun.push(this.#keptTrial(row));
    }
    const results = resultsOfPlan(placed, this.#endedOrOpen(begun));
    const { next } = followPlan(placed.plan, results);
    if (next.kind !== 'begin') return [];
    const first = placed.firstOrdinal + results.length;
    const trials = planTrials(this.plan).slice(first - 1, first - 1 + next.trials);
    for (const trial of trials) {
      this.#rows.set(...rowOf(pendingTrial(this.plan, trial, this.#newId)));
    }
    this.#run = { ...this.#run, expectedIterations: this.#rows.size };
    return trials;
  }

  #endedOrOpen(trials: readonly StoredTrial[]): EndedOrOpenTrial[] {
    return trials.map(({ ordinal, status, result }) => ({
      ordinal,
      status: status as EndedOrOpenTrial['status'],
      result: result as EndedOrOpenTrial['result'],
      evaluatorError: this.#written(ordinal)?.evaluatorError,
    }));
  }

  async #playOne(player: TrialPlayer, trial: PlannedTrial, signal: AbortSignal): Promise<void> {
    const row = this.#rows.get(trial.ordinal);
    if (row === undefined)
      throw new Error('Internal fault: the plan of the run does not contain one of its trials.');
    row.state = { status: 'running', startedAtMs: Date.now() };
    // Each trial gets its own signal. Listeners on the run's signal would stay registered after
    // their trial.
    const ofTrial = joinedSignal([signal]);
    setMaxListeners(0, ofTrial.signal);
    const written = await this.#tryToPlay(player, trial, row, ofTrial.signal).finally(() =>
      ofTrial.letGo(),
    );
    if (written === undefined || !isOpen(row.state)) return;
    row.state = { status: 'ended', written };
    const { toolSurface } = written;
    if (toolSurface !== null) this.surfaces.set(toolSurface.hash, toolSurface.text);
    this.#run = { ...this.#run, iterationCount: this.#run.iterationCount + 1 };
  }

  /**
   * Makes as many attempts as a worker makes for leased work, with the same pauses. Undefined if
   * the run was stopped.
   */
  async #tryToPlay(
    player: TrialPlayer,
    trial: PlannedTrial,
    row: KeptRow,
    signal: AbortSignal,
  ): Promise<TrialToWrite | undefined> {
    let lastError: unknown;
    for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
      try {
        return await player.play(trial, signal, {
          warn(warnings) {
            row.after = warnings;
            row.kept = undefined;
          },
          pay: (spent) => void row.lost.push(...spent),
        });
      } catch (error) {
        lastError = error;
        if (attempt < mostAttempts && !signal.aborted) {
          const pauseMs = pauseAfter({ attemptCost: attempt * costOfAttempt });
          await pause(pauseMs, signal).catch(() => undefined);
        }
        if (signal.aborted) return undefined;
      }
    }
    const planned = this.plan.cases[trial.caseIndex];
    if (planned === undefined)
      throw new Error('Internal fault: the plan of the run has no case for one of its trials.');
    const reason = lastError instanceof Error ? lastError.message : String(lastError);
    return brokenTrial(trial.ordinal, planned, `${mostAttempts} times`, reason);
  }

  #finish(as: EndedAs): void {
    if (this.hasEnded) return;
    if (as !== 'completed') this.#close(as);
    const trials = this.#trials();
    const alike = countAlike(trials, (ordinal) => this.#written(ordinal));
    const end = decideEndedRun(this.#run.snapshot.terms, this.plan, as, alike);
    const { counts } = end;
    const { replay } = this.plan;
    const integrities = trials.flatMap(({ scoreIntegrity }) => scoreIntegrity ?? []).sort();
    this.#run = {
      ...this.#run,
      status: as,
      result: end.result,
      completedAt: new Date(),
      verdictSummary: asJson(end.decision) ?? null,
      caseTitles: end.caseTitles ?? null,
      integrityError: end.integrityError ?? null,
      ...(end.isLegacy === true && { verdictPolicyVersion: null }),
      totalTrials: counts.total,
      passedTrials: counts.passed,
      failedTrials: counts.failed,
      iterationCount: counts.total,
      scoreIntegrity: integrities[0] ?? null,
      assertsNothing: countUnasserted(this.plan, this.listedTools()),
      judgeVotes: judgeVotesOf(trials) ?? null,
      ...(replay && {
        replay: summarizeReplay(
          replay,
          trials.map(({ replayState: state, divergence }) => ({ state, divergence })),
        ),
      }),
    };
  }

  #close(as: Exclude<EndedAs, 'completed'>): void {
    const { status, error, chains } = closingOf(this.plan, as, null);
    for (const row of this.#rows.values()) {
      if (!isOpen(row.state)) continue;
      const startedAtMs = row.state.status === 'running' ? row.state.startedAtMs : undefined;
      const chain = chains.get(this.#cases[row.pending.caseIndex]?.caseId ?? '');
      row.state = { status: 'closed', startedAtMs, as: status, error, chain };
    }
  }

  /** By server id. */
  listedTools(): ReadonlyMap<string, ReadonlySet<string>> {
    const lists = new Map<string, Set<string>>();
    for (const surface of this.surfaces.values()) {
      for (const [serverId, tools] of namesIn(surface)) {
        const list = lists.get(serverId) ?? new Set();
        for (const name of tools) list.add(name);
        lists.set(serverId, list);
      }
    }
    return lists;
  }

  #written(ordinal: number): TrialToWrite | undefined {
    const state = this.#rows.get(ordinal)?.state;
    return state?.status === 'ended' ? state.written : undefined;
  }

  #spentOn(ordinal: number): TrialToWrite['spent'] {
    return [...(this.#written(ordinal)?.spent ?? []), ...(this.#rows.get(ordinal)?.lost ?? [])];
  }

  #inOrder(): readonly KeptRow[] {
    const rows = [...this.#rows.values()];
    return rows.sort((one, other) => one.pending.ordinal - other.pending.ordinal);
  }

  #trials(): readonly StoredTrial[] {
    return this.#inOrder().map((row) => this.#keptTrial(row));
  }

  #keptTrial(row: KeptRow): StoredTrial {
    if (row.kept !== undefined) return row.kept;
    const one = this.#cases[row.pending.caseIndex];
    if (one === undefined)
      throw new Error('Internal fault: the plan of the run has no case for one of its trials.');
    const kept = keptTrial(row.pending, one, row.state, row.after);
    if (!isOpen(row.state)) row.kept = kept;
    return kept;
  }

  present(): OutputOf<'getEvalRun'> {
    const plans = carriedOutPlans(this.plan, this.#endedOrOpen(this.#trials()), sha256Hex);
    const run = { ...presentRun(this.#run, undefined), plans };
    if (!this.hasEnded) return run;
    const trials = this.#trials();
    const spending = sumSpending(trials.flatMap(({ ordinal }) => this.#spentOn(ordinal)));
    const warnedTrials = countWarned(trials);
    const refusedCalls = tallyRefused(trials);
    const [first] = this.#inOrder().flatMap(({ pending }) => {
      const surface = this.#written(pending.ordinal)?.toolSurface;
      return surface ? [surface.text] : [];
    });
    const leftOut = leftOutOfRun(this.plan, first);
    return asJson({
      ...run,
      ...(spending && { spending }),
      ...(warnedTrials && { warnedTrials }),
      ...(refusedCalls.length > 0 && { refusedCalls }),
      ...(leftOut && { leftOut }),
      ...(callsNothing(this.#run.result, this.plan, trials) && { nothingCalled: true as const }),
    });
  }

  /** Returns undefined if the run has no such trial. */
  recordingOf(trialId: string): TrialToWrite['recording'] {
    const row = [...this.#rows.values()].find(({ pending }) => pending.id === trialId);
    return row && this.#written(row.pending.ordinal)?.recording;
  }

  /** Returns undefined if no list of tools is known for the trial. */
  toolsOf(trialId: string): OutputOf<'getEvalIterationTools'> | undefined {
    const row = [...this.#rows.values()].find(({ pending }) => pending.id === trialId);
    const surface = row && this.#written(row.pending.ordinal)?.toolSurface;
    const listed = surface ? surfaceOfText(surface.text) : undefined;
    if (!surface || listed === undefined) return undefined;
    const names = new Map(this.plan.servers.map(({ id, name }) => [id, name]));
    return presentTools({ hash: surface.hash, listed, plan: this.plan, names });
  }

  presentTrials(
    filter: TrialFilter,
    limit: number,
    after: number,
  ): { readonly ordinal: number; readonly item: ShownTrial }[] {
    const isPicking = Object.values(filter).some((wanted) => wanted !== undefined);
    const picked: { ordinal: number; item: ShownTrial }[] = [];
    for (const trial of this.#trials()) {
      if (trial.ordinal <= after) continue;
      const calls = JSON.stringify(trial.actualToolCalls);
      if (isPicking && !picksTrial(filter, { ...trial, calls })) continue;
      const spending = sumSpending(this.#spentOn(trial.ordinal));
      const item = asJson(presentTrial(trial, spending, this.#run.snapshot.overlay));
      picked.push({ ordinal: trial.ordinal, item });
      if (picked.length === limit) break;
    }
    return picked;
  }
}

function rowOf(pending: PendingTrial): [number, KeptRow] {
  return [pending.ordinal, { pending, state: { status: 'pending' }, lost: [] }];
}

const nothingYet = {
  isSample: false,
  source: 'api',
  status: 'pending',
  stopReason: null,
  result: null,
  verdictSummary: null,
  caseTitles: null,
  integrityError: null,
  totalTrials: null,
  passedTrials: null,
  failedTrials: null,
  scoreIntegrity: null,
  externalRunId: null,
  evaluationConfigHash: null,
  notes: null,
  framework: null,
  ci: null,
  tags: [],
  iterationCount: 0,
  revision: 0,
  createdBy: null,
  completedAt: null,
  runGroupId: null,
  isOverdue: false,
  artifactId: null,
  goalCompletion: undefined,
  judgeVotes: null,
} as const;
