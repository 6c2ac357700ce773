import type { OutputOf } from '@proofmark/contract';

export type OrganizationSpending = OutputOf<'getOrganizationSpending'>;
