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
  /** The kind of turn as log messages name it, such as "a turn of a visitor". */
  readonly name: string;
  /**
   * Whether the server's tools are listed again after the person approved a call. The call is then
   * made only if the tool's definition is unchanged.
   */
  readonly listsAgain: boolean;
  /**
   * Messages by error code; they say what the person can do. Codes without an entry get the default
   * message of all turns.
   */
  readonly errors: TurnErrors;
  /** The error response if the person's access ended during the turn. */
  readonly closed: Refusal;
  /** The error response if the ended turn could not be stored. */
  readonly notStored: Refusal;
  stdioAddressOf(serverId: string): StdioAddress | undefined;
  leftOutNote(serverName: string, needsOAuth: boolean): string;
  history(sql: Sql): Promise<EarlierTurn[]>;
  /** Wraps the models so that every call is charged. */
  paying(models: ModelGateway): Pick<ModelGateway, 'generate'>;
  /** Removes the row of the turn. Returns a refusal if there is no such row. */
  drop(sql: Sql): Promise<Refusal | undefined>;
  /**
   * Stores the ended turn and returns its last line. Returns undefined if the turn may no longer be
   * stored.
   */
  store(sql: Sql, ended: EndedTurn): Promise<VisitLine | undefined>;
}

export interface EndedTurn {
  readonly status: 'completed' | 'failed' | 'stopped';
  readonly error: ErrorLine | undefined;
  /** The redacted messages, beginning with the person's message. */
  readonly messages: readonly VisitorMessage[];
  /** Undefined if the turn failed before it was played. */
  readonly record: PlayedTurn['record'] | undefined;
  readonly isOAuthMissing: boolean;
  readonly secrets: TraceSecrets;
  /** Returns all redacted lines of the turn, followed by the given last line. */
  linesWith(last: VisitLine): VisitLine[];
}
