import { defineConfig } from 'warpool';

export default defineConfig({ systems: ['./my-duel.js'] });
