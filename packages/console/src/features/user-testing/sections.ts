export const scenarioSections = ['visits', 'findings', 'numbers', 'settings'] as const;
export type ScenarioSection = (typeof scenarioSections)[number];

export interface ScenarioSearch {
  readonly section?: Exclude<ScenarioSection, 'visits'>;
}

export function readScenarioSearch(search: Readonly<Record<string, unknown>>): ScenarioSearch {
  const section = scenarioSections.find((one) => one === search['section']);
  return section === undefined || section === 'visits' ? {} : { section };
}

export const scenarioSectionNames: Readonly<Record<ScenarioSection, string>> = {
  visits: 'Visits',
  findings: 'Findings',
  numbers: 'Numbers',
  settings: 'Settings',
};
