/**
 * The method and address of every operation. A client needs no more: importing the schemas and
 * their library would double the CPU time of each start of the command. `npm run generate` writes
 * this table from the definitions, and a test compares the two.
 */
import type { OperationId } from './operations.ts';
import table from './requests.json' with { type: 'json' };

/** Method and address by operationId, such as `GET /api/v1/projects/{projectId}`. */
export const requests: Readonly<Record<OperationId, string>> = table;
