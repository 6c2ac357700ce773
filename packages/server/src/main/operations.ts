/** A missing operation of the contract is a compile-time error here. */
import type { ActionOperationId } from '@proofmark/contract';
import { accountsOperations } from '../features/accounts/operations.ts';
import { agentOperations } from '../features/agent/operations.ts';
import { clientsOperations } from '../features/clients/operations.ts';
import { environmentsOperations } from '../features/environments/operations.ts';
import { evalsOperations } from '../features/evals/operations.ts';
import { healthOperations } from '../features/health/operations.ts';
import { homeOperations } from '../features/home/operations.ts';
import { modelsOperations } from '../features/models/operations.ts';
import { mutationsOperations } from '../features/mutations/operations.ts';
import { playgroundOperations } from '../features/playground/operations.ts';
import { serversOperations } from '../features/servers/operations.ts';
import { sessionsOperations } from '../features/sessions/operations.ts';
import { swarmsOperations } from '../features/swarms/operations.ts';
import { userTestingOperations } from '../features/user-testing/operations.ts';
import type { Action } from '../platform/operations/action.ts';
import type { OperationParts } from './operation-parts.ts';

export const operations: { readonly [Id in ActionOperationId]: Action<Id, OperationParts> } = {
  ...accountsOperations,
  ...agentOperations,
  ...clientsOperations,
  ...environmentsOperations,
  ...evalsOperations,
  ...healthOperations,
  ...homeOperations,
  ...modelsOperations,
  ...mutationsOperations,
  ...playgroundOperations,
  ...serversOperations,
  ...sessionsOperations,
  ...swarmsOperations,
  ...userTestingOperations,
};
