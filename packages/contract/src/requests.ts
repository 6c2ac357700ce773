/**
 * The method and address of every operation, which is all that a client needs of a row: with the
 * schemas and their library, each start of the command took twice the CPU. `npm run generate`
 * writes the table from the rows, and a test compares the two.
 */
import type { OperationId } from './operations.ts';
import table from './requests.json' with { type: 'json' };

/** The format is `GET /api/v1/projects/{projectId}`. */
export const requests: Readonly<Record<OperationId, string>> = table;
