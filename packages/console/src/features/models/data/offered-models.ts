import { useQuery } from '@tanstack/react-query';
import { operationQuery } from '../../../kit/data/operations.ts';

/** The models that the service offers by itself, without a key of the caller. */
export function useOfferedModels() {
  return useQuery({ ...operationQuery('listModels', {}), select: ({ items }) => items });
}
