import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { PageFrame } from './page-frame.tsx';
import { ProjectCrumbs } from './project-crumbs.tsx';
import type { ProjectSection } from './project-sections.ts';

/** `projectId` is absent only for the page that creates a project. */
export interface NewEntity {
  readonly what: string;
  readonly projectId?: string;
  readonly section?: Exclude<ProjectSection, 'overview'>;
}

export function NewEntityPage(props: {
  entity: NewEntity;
  title?: string;
  intro?: ReactNode;
  children: ReactNode;
}) {
  const { what, projectId, section } = props.entity;
  return (
    <PageFrame
      title={props.title ?? `New ${what}`}
      crumbs={
        projectId === undefined ? (
          <Link to="/projects">Projects</Link>
        ) : (
          <ProjectCrumbs projectId={projectId} {...(section !== undefined && { section })} />
        )
      }
      intro={props.intro}
    >
      {props.children}
    </PageFrame>
  );
}

export function CancelLink({ projectId, section }: NewEntity) {
  if (projectId === undefined) {
    return (
      <Link to="/projects" className="button">
        Cancel
      </Link>
    );
  }
  return (
    <Link
      to="/projects/$projectId"
      params={{ projectId }}
      search={section === undefined ? {} : { section }}
      className="button"
    >
      Cancel
    </Link>
  );
}
