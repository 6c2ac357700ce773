import { useQuery } from '@tanstack/react-query';
import { operationQuery } from '../../../kit/data/operations.ts';

/** Returns the hosted models, which need no key of the caller. */
export function useOfferedModels() {
  return useQuery({ ...operationQuery('listModels', {}), select: ({ items }) => items });
}
