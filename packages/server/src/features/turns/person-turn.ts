/** A turn of a person, with all in which a visitor differs from a member in the playground. */
import type { Refusal, RunPlan, VisitLine, VisitorMessage } from '@proofmark/domain';
import type { PlayedTurn, TurnToPlay } from '../../conversation/play-turn.ts';
import type { StdioAddress } from '../../outside/mcp/mcp-target.ts';
import type { TraceSecrets } from '../../outside/mcp/trace-secrets.ts';
import type { ModelGateway } from '../../outside/model/model-gateway.ts';
import type { Sql } from '../../platform/database/database.ts';
import type { ErrorLine, TurnErrors } from './turn-errors.ts';
import type { EarlierTurn } from './turn-rows.ts';
import type { TurnToWatch } from './watch-turn.ts';

export interface PersonTurn
  extends Pick<TurnToPlay, 'mayOffer' | 'modelId' | 'text'>,
    Pick<RunPlan, 'client' | 'servers' | 'skills'>,
    Pick<TurnToWatch, 'asksFirst' | 'approvals' | 'shown'> {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string;
  /** For the log: "a turn of a visitor". */
  readonly name: string;
  /** Whether the tools are listed again after the person answered, so that an approval holds for the tool as it is. */
  readonly listsAgain: boolean;
  /** What the person can do about each error; the other errors have common words. */
  readonly errors: TurnErrors;
  /** The answer to a person who was not admitted any more when the turn ended. */
  readonly closed: Refusal;
  /** The answer if the row of the turn could not be written at the end. */
  readonly notStored: Refusal;
  stdioAddressOf(serverId: string): StdioAddress | undefined;
  leftOutNote(serverName: string, needsOAuth: boolean): string;
  history(sql: Sql): Promise<EarlierTurn[]>;
  /** Charges every call of the models. */
  paying(models: ModelGateway): Pick<ModelGateway, 'generate'>;
  /** Removes the row of the turn. Returns a refusal if it was not there to remove. */
  drop(sql: Sql): Promise<Refusal | undefined>;
  /** Writes the ended turn and returns its last line, or undefined if the turn may not be stored any more. */
  store(sql: Sql, ended: EndedTurn): Promise<VisitLine | undefined>;
}

export interface EndedTurn {
  readonly status: 'completed' | 'failed' | 'stopped';
  readonly error: ErrorLine | undefined;
  /** Without secrets, the message of the person first. */
  readonly messages: readonly VisitorMessage[];
  /** Undefined if the turn failed before it was played. */
  readonly record: PlayedTurn['record'] | undefined;
  readonly isOAuthMissing: boolean;
  readonly secrets: TraceSecrets;
  /** All lines of the turn, without secrets, with the given one as the last. */
  linesWith(last: VisitLine): VisitLine[];
}
