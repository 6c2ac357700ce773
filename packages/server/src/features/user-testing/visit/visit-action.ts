/**
 * What an action of a visitor is. The HTTP API has found who visits and checked that a page of ours sent it; whether they
 * are admitted, each action reads with what it does.
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
  /** Whom the cookie of the browser names, also where somebody is signed in. */
  readonly guest?: VisitingGuest;
  readonly deviceKind: DeviceKind | null;
  readonly language: string | null;
  /** Stands for where the request came from, and says nothing of it. */
  readonly addressHash: string;
  /** Others who come through the same proxy may have the same address. */
  readonly isAddressShared: boolean;
  readonly limits: VisitLimits;
  /** Whether visitors are held to a pace. */
  readonly brakes: boolean;
  readonly turns: TurnRunner;
  newId(kind: IdKind): string;
  /** To a visitor whose answer comes in lines. */
  send(line: VisitLine): void;
}

/** Cookies are dealt with by `http`, which answers this one itself. */
export type VisitActionId = Exclude<VisitOperationId, 'getVisitSession'>;

/** What is answered in lines answers nothing else. */
export type VisitAction<Id extends VisitActionId> = (
  context: VisitContext,
  input: { readonly params: ParametersOf<Id>; readonly body: BodyOf<Id> },
) => Promise<Id extends 'takeVisitorTurn' ? undefined : OutputOf<Id>>;
