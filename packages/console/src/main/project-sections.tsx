import { Link } from '@tanstack/react-router';
import {
  familyOf,
  isSetUp,
  mainSections,
  type ProjectSection,
  projectSectionNames,
  setUpSections,
} from '../kit/frame/project-sections.ts';

export function ProjectSections(props: { projectId: string; current: ProjectSection }) {
  const { projectId, current } = props;
  return (
    <>
      <nav className="sections" aria-label="Sections of this project">
        {mainSections.map((section) => (
          <SectionLink
            key={section}
            projectId={projectId}
            section={section}
            name={isSetUp(section) ? 'Set-up' : projectSectionNames[section]}
            isCurrent={isSetUp(section) ? isSetUp(current) : section === current}
          />
        ))}
      </nav>
      {isSetUp(current) && (
        <div className="set-up">
          <h2>Set-up</h2>
          <p className="intro">
            The parts that a run is put together from, and what uses each of them.
          </p>
          <nav className="sections" aria-label="Set-up">
            {setUpSections.map((section) => (
              <SectionLink
                key={section}
                projectId={projectId}
                section={section}
                name={projectSectionNames[section]}
                isCurrent={section === current}
              />
            ))}
          </nav>
        </div>
      )}
    </>
  );
}

function SectionLink(props: {
  projectId: string;
  section: ProjectSection;
  name: string;
  isCurrent: boolean;
}) {
  const { projectId, section, name, isCurrent } = props;
  return (
    <Link
      to="/projects/$projectId"
      params={{ projectId }}
      search={section === 'overview' ? {} : { section }}
      activeOptions={{ exact: section === 'overview', includeSearch: true }}
      aria-current={isCurrent ? 'page' : undefined}
      resetScroll={false}
      data-name={name}
      data-family={familyOf(section)}
    >
      {name}
    </Link>
  );
}
