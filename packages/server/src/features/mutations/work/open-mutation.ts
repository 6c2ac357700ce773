import {
  lexicalModelId,
  type Mutant,
  type PatternEngine,
  type PlannedTrial,
  RecordingRedactor,
  type RunPlan,
  type Transcript,
} from '@proofmark/domain';
import {
  mutatedServers,
  type SeenServers,
  seenServers,
} from '../../../conversation/mutated-servers.ts';
import { replayedDependencies } from '../../../conversation/recordings/replayed-dependencies.ts';
import { unrecordedTrial } from '../../../conversation/recordings/unrecorded-trial.ts';
import { runTrial } from '../../../conversation/run-trial.ts';
import type { TrialDependencies } from '../../../conversation/trial-dependencies.ts';
import type { TrialRecord } from '../../../conversation/trial-record.ts';
import { mcpLimits } from '../../../outside/mcp/mcp-limits.ts';
import { TraceSecrets } from '../../../outside/mcp/trace-secrets.ts';
import type { OwnScorers } from '../../../outside/scorers/own-scorers.ts';
import { payingModels } from '../../../platform/spending/paying-models.ts';
import { findSkillTexts } from '../../environments/index.ts';
import {
  openModels,
  openServers,
  type RunDependencies,
  recordWithoutSecrets,
  scorersOfRun,
} from '../../evals/index.ts';
import type { PinnedServer } from '../../servers/index.ts';
import type { MutationToDo } from '../store/mutations.ts';
import { openRecordingsToMutate, type RecordingsToMutate } from './recordings-to-mutate.ts';

export interface PlayedMutantTrial {
  readonly record: TrialRecord;
  readonly seen: SeenServers;
  readonly transcript: Transcript;
}

export type PlaceOfVariant = Pick<PlannedTrial, 'caseIndex' | 'variantIndex'>;

export interface OpenMutation {
  readonly patterns: PatternEngine;
  /**
   * Plays a trial. The result contains none of the secrets that were sent to servers and models.
   */
  play(
    variant: PlaceOfVariant,
    mutant: Mutant | undefined,
    number: number,
    signal: AbortSignal,
  ): Promise<PlayedMutantTrial>;
  readonly servers: 'live' | 'recorded';
  /**
   * Returns whether the variant's trials give the same result every time, as far as this can be
   * known.
   */
  isDeterministic(variant: PlaceOfVariant): boolean;
  close(): Promise<void>;
}

export async function openToMutate(
  dependencies: RunDependencies,
  todo: MutationToDo,
): Promise<OpenMutation> {
  const { id, organizationId, projectId, plan, servers: pinned, providers } = todo;
  const { database, runLimits } = dependencies;
  const place = { organizationId, projectId };
  const versionIds = plan.skills.map(({ skillVersionId }) => skillVersionId);
  const skillTexts = await database.tenant([organizationId], (sql) =>
    findSkillTexts(sql, projectId, versionIds),
  );
  const secrets = new TraceSecrets();
  const opened = openModels(dependencies, { providers, keys: {}, secrets });
  const servers = openServers(dependencies, place, {
    servers: plan.servers,
    client: plan.client,
    pinned,
    secrets,
    trials: Number.MAX_SAFE_INTEGER,
  });
  const scorersOf = scorersOfRun(dependencies, place, plan, secrets);
  const payer = { database, creditsPerDay: runLimits.creditsPerDay, place, ref: id, mostWaitMs };
  const models = payingModels(opened.models, { ...payer, kind: 'trial_step' });
  const judgeModels = payingModels(opened.models, { ...payer, kind: 'judge' });
  const recordings = await openRecordingsToMutate(database, todo, () => secrets.forms);
  return openTrialsToMutate({
    plan,
    pinned,
    servers,
    side: todo.request.servers,
    secrets,
    recordings,
    scorersOf,
    models,
    judgeModels,
    skillTexts,
    patterns: dependencies.patterns,
    modelOf: opened.modelOf,
    async close() {
      await opened.close();
      await servers.close();
    },
  });
}

export interface TrialsToMutate
  extends Pick<
    TrialDependencies,
    'servers' | 'models' | 'judgeModels' | 'skillTexts' | 'patterns' | 'modelOf'
  > {
  readonly plan: RunPlan;
  readonly pinned: readonly PinnedServer[];
  readonly side: 'live' | 'recorded';
  readonly secrets: TraceSecrets;
  readonly recordings?: RecordingsToMutate | undefined;
  scorersOf(trial: PlannedTrial): OwnScorers;
  close(): Promise<void>;
}

export function openTrialsToMutate({
  plan,
  pinned,
  side,
  secrets,
  recordings,
  scorersOf,
  close,
  ...parts
}: TrialsToMutate): OpenMutation {
  const timeoutMsOf = (serverId: string) =>
    pinned.find(({ server }) => server.id === serverId)?.server.timeoutMs ?? mcpLimits.callMs;
  return {
    patterns: parts.patterns,
    servers: side,
    isDeterministic(place) {
      if (recordings !== undefined) return recordings.isDeterministic(place);
      const model = plan.cases[place.caseIndex]?.variants[place.variantIndex]?.model;
      return model === undefined || model === lexicalModelId;
    },
    async play(variant, mutant, number, signal) {
      const seen = seenServers();
      let transcript: Transcript = { toolCalls: [] };
      const trial = { ordinal: number, trialNumber: number, ...variant };
      const replay = await recordings?.open(variant, number, signal);
      const planned = plan.cases[variant.caseIndex];
      if (recordings !== undefined && replay === undefined && planned !== undefined) {
        return { record: unrecordedTrial(planned), transcript, seen };
      }
      const live: TrialDependencies = {
        ...parts,
        scorers: scorersOf(trial),
        redact: (kept) => secrets.redact(kept),
        onSeen: (seenTranscript) => {
          transcript = seenTranscript;
        },
        now: () => Date.now(),
        elapsedMs: () => performance.now(),
      };
      const own = replay === undefined ? live : replayedDependencies(replay, live);
      const changed = { servers: own.servers, named: plan.servers, mutant, seen, timeoutMsOf };
      const record = await runTrial(
        { ...own, servers: mutatedServers(changed) },
        ...([plan, trial, signal] as const),
      );
      return playedWithoutSecrets(secrets, { record, transcript, seen });
    },
    close,
  };
}

/**
 * Removes secrets by the same rules as for a stored trial. The listings of servers are left
 * unchanged, because they describe values but contain none.
 */
function playedWithoutSecrets(
  secrets: TraceSecrets,
  { record, transcript, seen }: PlayedMutantTrial,
): PlayedMutantTrial {
  const telling = new RecordingRedactor([]);
  const { listedTools, usage, ...rest } = transcript;
  const { listed, answers, wasMet } = seen;
  const kept = {
    transcript: {
      ...(telling.redact(rest) as typeof rest),
      ...(listedTools && { listedTools }),
      ...(usage && { usage }),
    },
    seen: { listed, answers: telling.redact(answers) as typeof answers, wasMet },
  };
  return { record: recordWithoutSecrets(secrets, record), ...secrets.redact(kept) };
}

/** The maximum wait for credits that running trials have reserved, in milliseconds. */
const mostWaitMs = 300_000;
