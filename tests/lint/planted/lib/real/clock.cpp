// lib/real is on the allow list.
auto now = std::chrono::steady_clock::now();
std::thread worker;
std::unordered_map<int, int> map;  // banned_calls: unordered
