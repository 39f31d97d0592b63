/** The names of what the server sends and takes, from its OpenAPI description. */
import type { components } from "./schema";

type Schemas = components["schemas"];

export type Me = Schemas["Me"];
export type TenantInfo = Schemas["TenantInfo"];
export type TenantChange = Schemas["TenantChange"];
export type User = Schemas["User"];
export type UserPage = Schemas["Page_User_"];
export type NewUser = Schemas["NewUser"];
export type UserChange = Schemas["UserChange"];
export type Role = Schemas["Role"];
export type RoleDefinition = Schemas["RoleDefinition"];
export type Token = Schemas["Token"];
export type TokenRequest = Schemas["TokenRequest"];
export type CreatedToken = Schemas["CreatedToken"];
export type Event = Schemas["AuditEvent"];
export type EventPage = Schemas["Page_AuditEvent_"];
export type Verification = Schemas["Verification"];
export type RunSummary = Schemas["RunSummary"];
export type RunInfo = Schemas["RunInfo"];
export type RunDetail = Schemas["RunDetail"];
export type RunStep = Schemas["StoredStep"];
export type TypeStats = Schemas["TypeStats"];
export type Schedule = Schemas["Schedule"];
export type SchedulePage = Schemas["Page_Schedule_"];
export type NewSchedule = Schemas["NewSchedule"];
