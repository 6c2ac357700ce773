export { readEndedVisits, readOutcomesBefore, readVisitToExport } from './store/ended-visits.ts';
export { forgetVisits, listOldVisits } from './store/forget-visits.ts';
export {
  type ListedVisit,
  readNewestVisits,
  readVisitMessages as readSaid,
  readVisitsThatMaySay,
} from './store/read-visits.ts';
