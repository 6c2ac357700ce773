import {
  authoredFacts,
  isPlayedOnRun,
  lexicalModelId,
  nothingIgnored,
  type PlannedTrial,
  recordedModel,
  recordingInTurn,
  recordingsOfVariant,
} from '@proofmark/domain';
import { OpenedRecordingOfTrial } from '../../../conversation/recordings/opened-recording.ts';
import { TrialReplay } from '../../../conversation/recordings/trial-replay.ts';
import type { Database, Sql } from '../../../platform/database/database.ts';
import { retryWhileDatabaseIsAway } from '../../../platform/work/retry-while-database-is-away.ts';
import {
  listRecordedTrials,
  openRecordingContent,
  readDurations,
  readRecordingAt,
} from '../../evals/index.ts';
import type { MutationToDo } from '../store/mutations.ts';

type Place = Pick<PlannedTrial, 'caseIndex' | 'variantIndex'>;

export interface RecordingsToMutate {
  /**
   * Returns whether the model's recorded answers are the same in every trial, as far as this can be
   * known.
   */
  isDeterministic(place: Place): boolean;
  /** Returns the recording for a trial, or undefined if there is none. */
  open(place: Place, number: number, signal: AbortSignal): Promise<TrialReplay | undefined>;
}

/** Opens the recordings. Returns undefined if the mutation uses live models and live servers. */
export async function openRecordingsToMutate(
  database: Database,
  { organizationId, plan, request }: MutationToDo,
  secrets: () => readonly string[],
): Promise<RecordingsToMutate | undefined> {
  const { runId } = request;
  if (!isPlayedOnRun(request) || runId === undefined) return undefined;
  const inTenant = <Result>(read: (sql: Sql) => Promise<Result>) =>
    database.tenant([organizationId], read);
  const recorded = await inTenant((sql) => listRecordedTrials(sql, runId));
  const model = request.model === recordedModel ? ('recorded' as const) : ('live' as const);
  const found = ({ caseIndex, variantIndex }: Place) => {
    const planned = plan.cases[caseIndex];
    const variant = planned?.variants[variantIndex];
    if (planned === undefined || variant === undefined)
      throw new Error('Internal fault: the plan of the run does not contain this trial.');
    const recordings = recordingsOfVariant(planned.caseId, variant, recorded, model);
    return { planned, variant, recordings };
  };
  return {
    isDeterministic(place) {
      const { variant, recordings } = found(place);
      const { model: asked = lexicalModelId } = variant;
      return asked === lexicalModelId || (model === 'recorded' && recordings.length === 1);
    },
    async open(place, number, signal) {
      const { planned, recordings } = found(place);
      const taken = recordingInTurn(recordings, number);
      if (taken === undefined) return undefined;
      const stored = await retryWhileDatabaseIsAway(
        () => inTenant((sql) => readRecordingAt(sql, runId, taken.ordinal, true)),
        signal,
      );
      // Retention may have removed the recording meanwhile.
      if (stored === undefined) return undefined;
      const opened = await openRecordingContent(stored.content);
      if (opened === undefined) return undefined;
      const terms = {
        model,
        servers: request.servers,
        onDivergence: 'stop' as const,
        byPlace: true as const,
        ignore: nothingIgnored,
        asksModel: authoredFacts(planned).hasPrompt,
      };
      const recording = new OpenedRecordingOfTrial(
        opened.recording,
        readDurations(stored.durations),
        opened.mayHaveMarks,
      );
      return new TrialReplay(recording, terms, plan.servers, secrets);
    },
  };
}
