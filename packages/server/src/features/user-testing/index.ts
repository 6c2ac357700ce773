export { readEndedVisits, readOutcomesBefore, readVisitToExport } from './store/ended-visits.ts';
export { forgetVisits, listOldVisits } from './store/forget-visits.ts';
export {
  type ListedVisit,
  readNewestVisits,
  readSaid,
  readVisitsThatMaySay,
} from './store/read-visits.ts';
