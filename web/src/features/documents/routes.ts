/** The addresses of this part. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { root } from "../../app/root";
import { type DocumentFilter, documentFilter, type DocumentView, documentView } from "./filter";

const documents = createRoute({
  getParentRoute: () => root,
  path: "/documents",
  validateSearch: (search): DocumentFilter => documentFilter(search),
  component: lazyRouteComponent(() => import("./DocumentsPage"), "DocumentsPage"),
});

const newDocument = createRoute({
  getParentRoute: () => root,
  path: "/documents/new",
  validateSearch: (search): { type?: string } => ({ ...(typeof search.type === "string" && { type: search.type }) }),
  component: lazyRouteComponent(() => import("./NewDocumentPage"), "NewDocumentPage"),
});

const document = createRoute({
  getParentRoute: () => root,
  path: "/documents/$documentId",
  validateSearch: (search): DocumentView => documentView(search),
  component: lazyRouteComponent(() => import("./DocumentPage"), "DocumentPage"),
});

const story = createRoute({
  getParentRoute: () => root,
  path: "/documents/$documentId/story",
  component: lazyRouteComponent(() => import("./StoryPage"), "StoryPage"),
});

export const documentsRoutes = [documents, newDocument, document, story] as const;
