import type { Operations } from '../../platform/operations/action.ts';
import type { HealthParts } from './health-context.ts';
import { getHealth } from './operations/get-health.ts';

export const healthOperations = {
  getHealth,
} satisfies Operations<HealthParts>;
