import { useQuery } from '@tanstack/react-query';
import { operationQuery } from '../../../kit/data/operations.ts';

/** Returns the hosted models, which callers can use without a key of their own. */
export function useOfferedModels() {
  return useQuery({ ...operationQuery('listModels', {}), select: ({ items }) => items });
}
