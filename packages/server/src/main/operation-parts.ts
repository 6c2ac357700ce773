import type { AccountsParts } from '../features/accounts/accounts-context.ts';
import type { AgentParts } from '../features/agent/agent-context.ts';
import type { HealthParts } from '../features/health/health-context.ts';
import type { PlaygroundParts } from '../features/playground/playground-context.ts';
import type { UserTestingParts } from '../features/user-testing/user-testing-context.ts';

export interface OperationParts
  extends AccountsParts,
    AgentParts,
    HealthParts,
    PlaygroundParts,
    UserTestingParts {}
