/** What others may use of this feature. */
export { ProjectSettings } from './project-settings.tsx';
export { ScorerSecret } from './scorer-secret.tsx';
