/**
 * Before an action is called, the visitor is identified, and a write is checked to come from a page
 * of the service. The action itself must check the visitor's access, in its own transaction.
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
  /** The guest whom the browser's cookie identifies, even if the visitor is signed in. */
  readonly guest?: VisitingGuest;
  readonly deviceKind: DeviceKind | null;
  readonly language: string | null;
  /** The hash of the client's IP address, for rate limits without stored addresses. */
  readonly addressHash: string;
  /** Whether several visitors may have the same address because they share a proxy. */
  readonly isAddressShared: boolean;
  readonly limits: VisitLimits;
  /** Whether visitors are subject to rate limits. */
  readonly brakes: boolean;
  readonly turns: TurnRunner;
  newId(kind: IdKind): string;
  send(line: VisitLine): void;
}

/**
 * The operations that have an action. `getVisitSession` has none: it sets cookies, so the HTTP code
 * answers it.
 */
export type VisitActionId = Exclude<VisitOperationId, 'getVisitSession'>;

/** The type of an action. `takeVisitorTurn` sends its response in lines, so it returns nothing. */
export type VisitAction<Id extends VisitActionId> = (
  context: VisitContext,
  input: { readonly params: ParametersOf<Id>; readonly body: BodyOf<Id> },
) => Promise<Id extends 'takeVisitorTurn' ? undefined : OutputOf<Id>>;
