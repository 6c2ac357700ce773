/**
 * Method and address of every operation, which is all that a client needs. Importing the schemas
 * would double the CPU time of each start of the command. `npm run generate` writes this table.
 */
import type { OperationId } from './operations.ts';
import table from './requests.json' with { type: 'json' };

export const requests: Readonly<Record<OperationId, string>> = table;
