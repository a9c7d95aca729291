import { conformance } from './conformance.ts';

conformance('attrition');
