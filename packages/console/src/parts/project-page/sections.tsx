/** The sections of a project's page. Each has an address of its own. */
import { Link } from '@tanstack/react-router';
import { projectSectionNames, projectSections } from '../../projects/sections.ts';

export function ProjectSections(props: { projectId: string }) {
  return (
    <nav className="sections" aria-label="Sections of this project">
      {projectSections.map((section) => (
        <Link
          key={section}
          to="/projects/$projectId"
          params={{ projectId: props.projectId }}
          search={section === 'overview' ? {} : { section }}
          activeOptions={{ exact: section === 'overview', includeSearch: true }}
          resetScroll={false}
          data-name={projectSectionNames[section]}
        >
          {projectSectionNames[section]}
        </Link>
      ))}
    </nav>
  );
}
