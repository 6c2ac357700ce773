/**
 * The type of a visitor's action. The HTTP API has identified the visitor and checked that a page
 * of the service sent the request. Each action checks admission itself, together with its work.
 */
import type { BodyOf, OutputOf, ParametersOf, VisitOperationId } from '@proofmark/contract';
import type { DeviceKind, IdKind, VisitLimits, VisitLine } from '@proofmark/domain';
import type { ModelGateway } from '../../../outside/model/model-gateway.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { VisitingGuest, VisitorIdentity } from '../store/visitors.ts';
import type { TurnRunner } from './turn-runner.ts';

export interface VisitContext {
  readonly database: Database;
  readonly models: ModelGateway;
  readonly identity: VisitorIdentity;
  /** The guest of the browser's cookie, even if the visitor is signed in. */
  readonly guest?: VisitingGuest;
  readonly deviceKind: DeviceKind | null;
  readonly language: string | null;
  /** Identifies the origin of the request without revealing its address. */
  readonly addressHash: string;
  /** Whether visitors behind the same proxy may share this address. */
  readonly isAddressShared: boolean;
  readonly limits: VisitLimits;
  /** Whether visitors are rate-limited. */
  readonly brakes: boolean;
  readonly turns: TurnRunner;
  newId(kind: IdKind): string;
  /** Sends a line to a visitor whose response is streamed. */
  send(line: VisitLine): void;
}

/** `http` handles cookies, so it answers this operation itself. */
export type VisitActionId = Exclude<VisitOperationId, 'getVisitSession'>;

/** An operation that is answered in lines returns nothing else. */
export type VisitAction<Id extends VisitActionId> = (
  context: VisitContext,
  input: { readonly params: ParametersOf<Id>; readonly body: BodyOf<Id> },
) => Promise<Id extends 'takeVisitorTurn' ? undefined : OutputOf<Id>>;
