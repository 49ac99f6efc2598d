import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { watchAttendance } from './api/attendance.ts';
import { App } from './app/app.tsx';
import { startPreferences } from './app/preferences.ts';
import './styles/index.css';

startPreferences();
watchAttendance(window);
const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element with the id root');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
