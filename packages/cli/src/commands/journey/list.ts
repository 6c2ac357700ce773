import type { OutputOf } from '@proofmark/contract';
import { cleanText } from '@proofmark/domain';
import type { Command } from 'commander';
import { listingCommand } from '../../remote/listing-command.ts';

type Journey = OutputOf<'getJourney'>;

export function journeyListCommand(): Command {
  return listingCommand<Journey>({
    description: 'list the journeys of a project',
    readPage: ({ client, projectId }, page) => client.listJourneys({ projectId, ...page }),
    none: 'No journeys yet. Make one: proofmark journey create --persona PERSONA --goal GOAL',
    header: ['ID', 'TARGETS', 'CHECKS', 'NAME'],
    row: (journey, ascii) => [
      journey.id,
      String(targetCount(journey)),
      String(journey.rubric.length),
      cleanText(journey.name, ascii),
    ],
  });
}

export function targetCount({ environmentIds, hostIds }: Journey): number {
  return environmentIds.length || hostIds.length;
}
